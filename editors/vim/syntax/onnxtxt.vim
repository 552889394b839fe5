" The ONNX text syntax.
if exists('b:current_syntax') | finish | endif

syntax case match
syntax match onnxtxtOutput     '\<\h\w*\>\ze\_s*=>\@!'
syntax match onnxtxtOperator   '=>\@!\s*\zs\%(\h\w*\s*\.\s*\)*\h\w*\ze\%(\s*:\s*\h\w*\)\?\s*[(<]' contains=onnxtxtDomain
syntax match onnxtxtDomain     '\h\w*\s*\.' contained
syntax match onnxtxtDefinition '^\h\w*\ze\s*[(<]'
syntax match onnxtxtKey        '\<\h\w*\>\ze\s*:'
syntax match onnxtxtType       '\<\%(float\|u\?int\%(2\|4\|8\|16\|32\|64\)\|string\|bool\|b\?float16\|double\|complex\%(64\|128\)\|float8e4m3fn\%(uz\)\?\|float8e5m2\%(fnuz\)\?\|float4e2m1\|float8e8m0\|float6e2m3\|float6e3m2\)\>\ze\%(\s*[.:=]\)\@!'
syntax match onnxtxtType       '\<\%(seq\|optional\|map\|sparse_tensor\|opaque\)\>\ze\s*('
syntax match onnxtxtNumber     '-\?\<\d\+\>'
syntax match onnxtxtFloat      '-\?\<\d\+\%(\.\d*\%([eE][+-]\?\d\+\)\?\|[eE][+-]\?\d\+\)'
syntax match onnxtxtSpecial    '-\?\<\c\%(nan\%(0x\x\+\)\?\|inf\|infinity\)\>'
syntax match onnxtxtArrow      '=>'
syntax match onnxtxtAnnotation '@\s*\h\w*\%(\.\h\w*\)*'
syntax match onnxtxtLabel      '\[\s*\zs\h\w*\ze\s*\]\s*\%(\h\|"\|,\|=\)'
syntax match onnxtxtEscape     '\\.' contained
syntax region onnxtxtString    start='\<b\?"' start='"' skip='\\.' end='"' contains=onnxtxtEscape
syntax match onnxtxtComment    '#.*$' contains=@Spell
syntax match onnxtxtPragma     '#\s*onnxc:.*$'
syntax sync minlines=100

highlight default link onnxtxtOutput     Identifier
highlight default link onnxtxtOperator   Function
highlight default link onnxtxtDomain     Include
highlight default link onnxtxtDefinition Function
highlight default link onnxtxtKey        Statement
highlight default link onnxtxtType       Type
highlight default link onnxtxtNumber     Number
highlight default link onnxtxtFloat      Float
highlight default link onnxtxtSpecial    Constant
highlight default link onnxtxtArrow      Operator
highlight default link onnxtxtAnnotation PreProc
highlight default link onnxtxtLabel      Label
highlight default link onnxtxtEscape     SpecialChar
highlight default link onnxtxtString     String
highlight default link onnxtxtComment    Comment
highlight default link onnxtxtPragma     PreProc

let b:current_syntax = 'onnxtxt'
