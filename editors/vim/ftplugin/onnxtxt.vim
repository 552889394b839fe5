" ONNX text: comments, steps of three blanks, formatting by onnxc.
if exists('b:did_ftplugin') | finish | endif
let b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=:# formatoptions-=t formatoptions+=croql
setlocal shiftwidth=3 softtabstop=3 expandtab
setlocal matchpairs+=<:>
if executable('onnxc')
  " A filter replaces the lines by all that it prints. If lines are no model, or have errors, they stay as they are.
  let s:copy = shellescape(tempname())
  let &l:equalprg = 'cat >' . s:copy . '; onnxc fmt -q - <' . s:copy . ' 2>/dev/null || cat ' . s:copy
endif

let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< shiftwidth< softtabstop< expandtab< matchpairs< equalprg<'
