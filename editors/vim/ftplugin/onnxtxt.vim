" ONNX text: comments, steps of three blanks, formatting by onnxc.
if exists('b:did_ftplugin') | finish | endif
let b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=:# formatoptions-=t formatoptions+=croql
setlocal shiftwidth=3 softtabstop=3 expandtab
setlocal matchpairs+=<:>
if executable('onnxc')
  setlocal equalprg=onnxc\ fmt\ -q
endif

let b:undo_ftplugin = 'setlocal commentstring< comments< formatoptions< shiftwidth< softtabstop< expandtab< matchpairs< equalprg<'
