" ONNX text: one step more inside of brackets; a closing bracket stands below the line of its opening one.
if exists('b:did_indent') | finish | endif
let b:did_indent = 1

setlocal indentexpr=GetOnnxtxtIndent(v:lnum) indentkeys=0{,0},0),0],0<>>,!^F,o,O autoindent
let b:undo_indent = 'setlocal indentexpr< indentkeys< autoindent<'

if exists('*GetOnnxtxtIndent') | finish | endif

" Opening brackets less closing ones, strings and comments left out; `=>` is no bracket.
function! s:Balance(line) abort
  let line = substitute(a:line, 'b\?"\%([^"\\]\|\\.\)*"\|#.*$\|=>', '', 'g')
  return len(substitute(line, '[^([{<]', '', 'g')) - len(substitute(line, '[^])}>]', '', 'g'))
endfunction

function! s:LeadingClosers(line) abort
  return len(substitute(matchstr(a:line, '^\s*\zs[])}>[:blank:]]*'), '\s', '', 'g'))
endfunction

function! GetOnnxtxtIndent(lnum) abort
  let previous = prevnonblank(a:lnum - 1)
  if previous == 0 | return 0 | endif
  let line = getline(previous)
  let opened = s:Balance(line) + s:LeadingClosers(line)
  let steps = (opened > 0 ? 1 : opened < 0 ? -1 : 0) - (s:LeadingClosers(getline(a:lnum)) > 0 ? 1 : 0)
  return max([0, indent(previous) + steps * shiftwidth()])
endfunction
