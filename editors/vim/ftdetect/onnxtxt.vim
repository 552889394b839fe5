autocmd BufNewFile,BufRead *.onnxtxt,*.onnxtext setfiletype onnxtxt
