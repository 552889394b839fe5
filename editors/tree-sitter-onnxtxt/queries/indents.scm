; Neovim's names; a step is three blanks.
[
  (header)
  (formals)
  (values)
  (attributes)
  (inputs)
  (outputs)
  (arguments)
  (body)
  (dense)
  (external)
  (list)
  (record)
  (in_place)
  (native)
] @indent.begin

[")" "]" "}"] @indent.branch @indent.end
(header ">" @indent.branch @indent.end)
(formals ">" @indent.branch @indent.end)
(values ">" @indent.branch @indent.end)
(attributes ">" @indent.branch @indent.end)
[(comment) (pragma) (string)] @indent.auto
