[
  (header)
  (formals)
  (values)
  (attributes)
  (inputs)
  (outputs)
  (body)
  (dense)
  (external)
  (list)
  (record)
  (in_place)
] @fold
