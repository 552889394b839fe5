"""Shapes of texts and messages for which a subcommand once took more than linear time, and similar shapes.

Each function makes an input of some kind whose size grows with n. The short functions at the beginning write bytes of messages.
"""
import random
import struct

def vi(n):
    o=bytearray()
    n&=(1<<64)-1
    while n>=0x80: o.append(n&0x7f|0x80); n>>=7
    o.append(n); return bytes(o)
def ld(f,b):
    if isinstance(b,str): b=b.encode()
    return vi(f<<3|2)+vi(len(b))+b
def iv(f,n): return vi(f<<3)+vi(n)
def f32(f,x): return vi(f<<3|5)+struct.pack('<f',x)
def model(graph=b'', ir=10, opset=b'', extra=b'', functions=b''):
    o=opset if opset else ld(8, ld(1,'')+iv(2,21))
    return iv(1,ir)+ (ld(7,graph) if graph is not None else b'') + o + functions + extra
def node(op,i=(),o=(),attrs=b'',domain=None,name=None,extra=b''):
    b=b''.join(ld(1,x) for x in i)+b''.join(ld(2,x) for x in o)
    if name is not None: b+=ld(3,name)
    b+=ld(4,op)+attrs
    if domain is not None: b+=ld(7,domain)
    return b+extra
# NodeProto: input1 output2 name3 op4 attribute5 doc6 domain7 overload8 metadata9 device10
# GraphProto: node1 name2 init5 doc10 input11 output12 valueinfo13 quant14 sparse15 meta16
def attr_i(name,v): return ld(5, ld(1,name)+iv(3,v)+iv(20,2))
def ttype(elem=1,dims=()):
    sh=b''.join(ld(1, iv(1,d) if isinstance(d,int) else ld(2,d)) for d in dims)
    return ld(1, iv(1,elem)+ld(2,sh))
def vinfo(name,elem=1,dims=()): return ld(1,name)+ld(2,ttype(elem,dims))
# ModelProto: ir1 prod2 prodver3 dom4 modelver5 doc6 graph7 opset8 meta14 training20 functions25 config26
# FunctionProto: name1 input4 output5 attribute6 node7 doc8 opset9 domain10 attrproto11 valueinfo12 overload13 meta14
# TensorProto: dims1 dtype2 segment3 float4 int32 5 string6 int64 7 name8 raw9 double10 uint64 11 doc12 ext13 loc14 meta16
def tensor(name,dt=1,dims=(),raw=None,extra=b''):
    b=b''.join(iv(1,d) for d in dims)+iv(2,dt)
    if name is not None: b+=ld(8,name)
    if raw is not None: b+=ld(9,raw)
    return b+extra


HEAD = '<ir_version: 10, opset_import: ["" : 21]>\n'
GRAPH = 'g (float[N] x) => (float[N] y) '


def body(text):
    return HEAD + GRAPH + '{\n' + text + '\n}\n'


TEXTS = {
    'opencl': lambda n: body('y = Relu <a = ! '+'('*n+']'*n+'> (x)'),
    'opencl2': lambda n: body('y = Relu <a = = '+'('*n+']'*n+'> (x)'),
    'opencl3': lambda n: body('y = Relu <a = 1 1'+'('*n+']'*n+'> (x)'),
    'errs': lambda n: body('\n'.join('y = Relu (x' for i in range(n))),
    'errs2': lambda n: body('\n'.join('! = Relu (x)' for i in range(n))),
    'unknownlate': lambda n: body('\n'.join('y%d = Relu (x)'%i for i in range(n))+'\n'+'\n'.join('z%d = Relu (q%d)'%(i, i) for i in range(n))),
    'corrprefix': lambda n: HEAD+'g (string[N] x) => (string[N] y) <string[%d] w = {%s}> {\ny = Identity (x)\n}\n'%(n, ', '.join('r"a"' for i in range(n))),
    'corrprefixes': lambda n: body('\n'.join('y%d = Gelu <approximate = r"tanh"> (x)'%i for i in range(n))),
    'corrquotes': lambda n: body('\n'.join("y%d = f <w = ('a', 'b')> (x)"%i for i in range(n))),
    'corrquote': lambda n: body("y = f <w = (%s)> (x)"%', '.join("'a'" for i in range(n))),
    'corropen': lambda n: body("y = f <w = (%s> (x)"%', '.join("r'a" for i in range(n))),
    'corrmoved': lambda n: body('\n'.join('y%d = Softmax (x, dim = -1)'%i for i in range(n))),
    'corrmovedlist': lambda n: body('y = f (x, %s)'%', '.join('a%d = word%d'%(i, i) for i in range(n))),
    'corrothers': lambda n: body('\n'.join("y%d = Transpose (x, perm = (1, 0), m = 'a')"%i for i in range(n))),
    'corrother': lambda n: body('y = f (x, %s)'%', '.join("a%d = ('b', 'c')"%i for i in range(n))),
    'corrothersmany': lambda n: body('\n'.join("y%d = f (x, %s)"%(j, ', '.join("a%d = ('b', 'c')"%i for i in range(80))) for j in range(n//80))),
    'corrinputsmany': lambda n: body('y = ReduceMean <%s> (x)'%', '.join(['a%d = 1'%i for i in range(n)]+['axes = [1]']*n)),
    'corrlabels': lambda n: body('y = Softmax <%s> (x)'%', '.join('name = "a"' for i in range(n))),
    'corrconstants': lambda n: body('\n'.join('y%d = Clip (x, min = 0.0, max = 6.0)'%i for i in range(n))),
    'corrinputs': lambda n: body('\n'.join('y%d = Concat (inputs = [x, x], dim = 0)'%i for i in range(n))),
    'corrinput': lambda n: body('y = Concat (inputs = [%s], dim = 0)'%', '.join('x' for i in range(n))),
    'corrdefaults': lambda n: body('y = Relu (x)')+'\n'.join('<domain: "d", opset_import: ["" : 21]> f%d (x, a = 0.5) => (y) { y = Relu (x) }'%i for i in range(n)),
    'corrdefault': lambda n: body('y = Relu (x)')+'<domain: "d", opset_import: ["" : 21]> f (x, %s) => (y) { y = Relu (x) }'%', '.join('a%d = 0.5'%i for i in range(n)),
    'corrgraphs': lambda n: '\n'.join([body('y = Relu (x)')]+['g%d (float[N] x) => (float[N] y) { y = Relu (x) }'%i for i in range(n)]),
    'corrgraphsinputs': lambda n: '\n'.join([HEAD+'g (%s) => (float y) { y = Neg (x0) }'%', '.join('float x%d'%i for i in range(n))]+['g%d (float x) => (float y) <float[1] w = {1}> { y = Neg (x) }'%i for i in range(n)]),
    'corrgraphsdata': lambda n: '\n'.join([body('y = Relu (x)')]+['g%d (float[N] x) => (float[N] y) <float[1] w = {1}> { y = Relu (x) }'%i for i in range(n)]),
    'formulas': lambda n: HEAD+'g (%s) => (float y) {\ny = Neg (x0)\n}\n'%', '.join('float[N+1] x%d'%i for i in range(n)),
    'formuladims': lambda n: HEAD+'g (float[%s] x) => (float y) {\ny = Neg (x)\n}\n'%', '.join('N%d - 1'%i for i in range(n)),
    'returns': lambda n: HEAD+'g (float x) => (%s) {\n%s}\n'%(', '.join('float y%d'%i for i in range(n)), ''.join('return y%d\n'%i for i in range(n))),
    'keywordlines': lambda n: body('\n'.join('y%d = LeakyRelu (\n  x,\n  alpha=0.1\n)'%i for i in range(n))),
    'expressions': lambda n: body('y = Sum (%s)'%', '.join('a%d * b'%i for i in range(n))),
    'nestedwords': lambda n: body('\n'.join('y%d = Add (x, Neg x)'%i for i in range(n))),
    'importentries': lambda n: '<ir_version: 10, opset_import: ["" : 21%s\n'%''.join(', : %d'%i for i in range(n)),
    'difflines': lambda n: body('\n'.join('-  y%d = Neg (x)\n+  y%d = Relu (x)'%(i, i) for i in range(n))),
    'errsline': lambda n: body(' '.join('y = Relu <a = !> (x)' for i in range(n))),
    'errsline2': lambda n: body('y = Relu <a = '+'! '*n+'> (x)'),
    'squotes': lambda n: body("y = Relu <a = "+"' "*n+'> (x)'),
    'squotes2': lambda n: body("\n".join("y%d = Relu <a = 'abc'> (x)"%i for i in range(n))),
    'squotes3': lambda n: body(" ".join("y%d = Relu <a = '> (x)"%i for i in range(n))),
    'lostquotes': lambda n: body("\n".join('y%d = d.F <a = "abc, b = "c"> (x)'%i for i in range(n))),
    'lostquotes2': lambda n: body('y = d.F <a = ["s", '+'"abc, "d", '*n+'"e"]> (x)'),
    'lostquotes3': lambda n: body('y = d.F <a = ['+'"abc",\n'*n+'"d, "e"]> (x)'),
    'unfinished': lambda n: body("\n".join('y%d = Relu <a ='%i for i in range(n))),
    'unfinished2': lambda n: body("y = Relu (" + "x,\n"*n + "z = Abs (x)"),
    'unfinished3': lambda n: body("\n".join('y%d = y%d = Relu (x)'%(i, i) for i in range(n))),
    'unfinished4': lambda n: body("y = Foo <" + "a = ?,\n"*n),
    'amonginputs': lambda n: body(" ".join("y%d = Relu (x, a=1, b=2)"%i for i in range(n))),
    'amonginputs1': lambda n: body("y = Relu (x, "+", ".join("a%d=1"%i for i in range(n))+')'),
    'misspelt': lambda n: HEAD+'g ('+', '.join('flaot[2] x%d'%i for i in range(n))+') => (float[N] y) {\n}',
    'misspelt2': lambda n: body(' '.join('y = Relu <a: flaots = [1]> (x)' for i in range(n))),
    'commas': lambda n: HEAD+'g ('+','*n+') => (float[N] y) {\n}',
    'islands': lambda n: body('y = Constant <value = float {'+'1 '*n+'"> (x)'),
    'islands2': lambda n: body(' '.join('y = C <v = float {1, 2, 3 "> (x)' for i in range(n))),
    'strisland': lambda n: body('y = C <v = ['+'"a", '*n+'b]> ()'),
    'strisland2': lambda n: body('y = C <v = '+'["a", '*n+'b]> ()'),
    'bracetower': lambda n: body('y = C <v = float '+'{'*n+'}'*n+'> ()'),
    'bracketower': lambda n: body('y = C <v = '+'['*n+']'*n+'> ()'),
    'seqtower': lambda n: HEAD+'g ('+'seq('*n+'float'+')'*n+' x) => (y) {}',
    'attower': lambda n: body('@metadata_props '+'['*n+']'*n+'\ny = C ()'),
    'attower2': lambda n: body('@metadata_props '+'{a: '*n+'}'*n+'\ny = C ()'),
    'ats': lambda n: body('@doc_string "a" '*n+'\ny = C ()'),
    'pragmas': lambda n: body('# onnxc: set name\n'*n+'\ny = C ()'),
    'pragma1': lambda n: body('# onnxc: '+'set name, '*n+'set name\ny = C ()'),
    'pragma2': lambda n: body('# onnxc: '+'set NodeProto.name, '*n+'set name\ny = C ()'),
    'pragmabad': lambda n: body('# onnxc: '+'sot NodeProto.name, '*n+'set name\ny = C ()'),
    'pragmanodes': lambda n: '# onnxc: set NodeProto.name, set NodeProto.doc_string, set NodeProto.domain\n'+HEAD+GRAPH+'{\n'+'y = C ()\n'*n+'}',
    'comments': lambda n: body('# c\n'*n+'y = C ()'),
    'comments2': lambda n: body('y = C ( # c\n'+'x, # c\n'*n+'x)'),
    'blanks': lambda n: body('\n'*n+'y = C ()'+' '*n),
    'blankc': lambda n: body((' '*50+'# c\n')*n+'y = C ()'),
    'longname': lambda n: body('y = C ('+'a'*n+')'),
    'longname2': lambda n: body('\n'.join('y = C (%s)'%('a'*1000+str(i)) for i in range(n//1000))),
    'inputs': lambda n: body('y = C ('+', '.join('x%d'%i for i in range(n))+')'),
    'attrs': lambda n: body('y = C <'+', '.join('a%d = 1'%i for i in range(n))+'> ()'),
    'dupattrs': lambda n: body('y = C <'+', '.join('a = 1' for i in range(n))+'> ()'),
    'header': lambda n: '<ir_version: 10, opset_import: ['+', '.join('"d%d" : 1'%i for i in range(n))+']>'+GRAPH+'{ y = Relu(x) }',
    'duphdr': lambda n: '<ir_version: 10, '+', '.join('doc_string: "a"' for i in range(n))+'>'+GRAPH+'{ y = Relu(x) }',
    'badhdr': lambda n: '<ir_version: 10, '+', '.join('k%d: "a"'%i for i in range(n))+'>'+GRAPH+'{ y = Relu(x) }',
    'funcs': lambda n: HEAD+GRAPH+'{ y = Relu(x) }\n'+'\n'.join('<domain: "d", opset_import: ["":17]> f%d (x) => (y) { y = Relu(x) }'%i for i in range(n)),
    'graphs': lambda n: HEAD+(GRAPH+'{ y = Relu(x) }\n')*n,
    'values': lambda n: HEAD+'g (float[N] x) => (float[N] y) <'+', '.join('float[2] w%d = {1,2}'%i for i in range(n))+'> { y = Relu(x) }',
    'valinfo': lambda n: HEAD+'g (float[N] x) => (float[N] y) <'+', '.join('float[2] w%d'%i for i in range(n))+'> { y = Relu(x) }',
    'dims': lambda n: HEAD+'g (float['+', '.join(['N']*n)+'] x) => (float[N] y) { y = Relu(x) }',
    'longint': lambda n: body('y = C <a = '+'9'*n+'> ()'),
    'longfloat': lambda n: body('y = C <a = 0.'+'9'*n+'> ()'),
    'longexp': lambda n: body('y = C <a = 1e'+'9'*n+'> ()'),
    'longint2': lambda n: body('y = C <a = float[1] {'+'9'*n+'}> ()'),
    'longsmall': lambda n: body('y = C <a = float8e4m3fn[1] {'+'0.'+'1'*n+'}> ()'),
    'longsmalln': lambda n: body('y = C <a = float8e4m3fn['+str(n)+'] {'+'0.1111111111111111111111111111111111111111111111111111,'*n+'1.5}> ()'),
    'backsl': lambda n: body('y = C <a = "'+'\\"'*n+'"> ()'),
    'bytes': lambda n: body('y = C <a = b"'+'\\x00'*n+'"> ()'),
    'badbytes': lambda n: body('y = C <a = b"'+'\\q'*n+'"> ()'),
    'unterm': lambda n: body('y = C <a = "'+'a\n'*n),
    'unterms': lambda n: body('y = C <a = b"\\q'+'a\n'*n),
    'quotes': lambda n: HEAD+GRAPH+'{ y = C <a = '+'"a" '*n+'> () }',
    'dots': lambda n: body('y = '+'a.'*n+'b ()'),
    'sparse': lambda n: body('y = C <a = sparse_tensor(float[1000000000]) {'+', '.join('%d: 1'%i for i in range(n))+'}> ()'),
    'barewords': lambda n: body('y = C <a = ['+'a,'*n+'1]> ()'),
    'barewords2': lambda n: HEAD+'g () => () {}\n<domain: "d", opset_import: ["": 17]> f <'+', '.join('a%d'%i for i in range(n))+'> () => () { y = C <a = ['+'a,'*n+'1]> () }',
    'barewords3': lambda n: HEAD+'g () => () {}\n<domain: "d", opset_import: ["": 17]> f <'+', '.join('a%d'%i for i in range(n))+'> () => () { '+'y = C <a = b> () '*n+'}',
    'references': lambda n: body('y = C <a = ['+'@a,'*n+'1]> ()'),
    'mismatches': lambda n: body('y = C <a = ['+'1,"a",a,'*n+'1]> ()'),
    'members': lambda n: body('@metadata_props ['+'1,'*n+'1] y = C ()'),
    'records': lambda n: body('@metadata_props ['+'{},'*n+'{}] y = C ()'),
    'elements': lambda n: body('y = C <a = float[1] {'+'a,'*n+'1}> ()'),
    'elements2': lambda n: body('y = C <a = float[1] {'+'1:1,'*n+'1}> ()'),
    'nestedvalues': lambda n: body('y = C <a = g ('+'a,'*n+'a) => () {}> ()'),
    'closevalues': lambda n: HEAD+'g ('+'a,'*n+'a) => () { ! }',
    'letters': lambda n: body('y = C ('+'é, '*n+'é)'),
    'lettersoflines': lambda n: body('\n'.join('аb%d = C ()' % i for i in range(n))),
    'closeattrs': lambda n: body('y = C <'+'a=1,'*n+'a=1> ()'),
    'closeformals': lambda n: HEAD+'g () => () {}\n<domain: "d", opset_import: ["": 17]> f <'+'a,'*n+'a> () => () {}',
    'closenodes': lambda n: body('y = C <a = g () => () {'+'a=a()'*n+'}> ()'),
    'indices': lambda n: body('y = C <a = float[1] {['+'1,'*n+'1]:1}> ()'),
    'strings': lambda n: body('y = C <a = ['+', '.join('"a"' for i in range(n))+']> ()'),
    'ints': lambda n: body('y = C <a = ['+', '.join('1' for i in range(n))+']> ()'),
    'nodeslabel': lambda n: body('\n'.join('[n] y = C ()' for i in range(n))),
    'names': lambda n: body('\n'.join('a, a, a' for i in range(n))),
    'names2': lambda n: body(', '.join('a' for i in range(n))),
    'names3': lambda n: body('\n'.join('a,' for i in range(n))),
    'lbr': lambda n: body('\n'.join('[' for i in range(n))),
    'lpar': lambda n: body('\n'.join('a = b (' for i in range(n))),
    'lpar2': lambda n: HEAD+GRAPH+'{ y = C <a = 1 1 \n'+'\n'.join('a = b (' for i in range(n)),
    'closers': lambda n: body('y = C <a = 1 1 '+'> '*n),
    'closers2': lambda n: body('y = C (x '+') '*n),
    'rbr': lambda n: HEAD+GRAPH+'{'+'} '*n,
    'rbr2': lambda n: HEAD+GRAPH+'{ y = C <a = 1 1 '+'{'*n+'}'*n,
    'eqs': lambda n: body('= '*n),
    'eqs2': lambda n: body('\n'.join('y == C ()' for i in range(n))),
    'eqs1line': lambda n: body(' '.join('y == C ()' for i in range(n))),
    'colons': lambda n: body('y = C <'+', '.join('a%d: 1'%i for i in range(n))+'> ()'),
    'colons2': lambda n: body('y = C <'+' '.join('a%d: 1'%i for i in range(n))+'> ()'),
    'invalid': lambda n: HEAD+GRAPH+'{ '+'\xff '*n,
    'invalid2': lambda n: HEAD+GRAPH+'{ '+'\n\xff'*n,
    'nul': lambda n: HEAD+GRAPH+'{ '+'\0'*n,
    'arrows': lambda n: HEAD+GRAPH+'{ y = C <'+', '.join('a = g () = > () {}' for i in range(n))+'> () }',
    'unknownlists': lambda n: HEAD+'g (float[2] x, int64[256] r) => (int64[N] y) { y = Concat <axis = 0> ('+'r, '*n+'r) }',
}


def for_check(kind, n):
    ops=ld(8, ld(1,'')+iv(2,21))+ld(8,ld(1,'d')+iv(2,1))
    fops=ld(9, ld(1,'')+iv(2,21))+ld(9,ld(1,'d')+iv(2,1))
    def fn(name,nodes=b'',attrs=b'',inputs=('x',),outputs=('y',)):
        return ld(25,ld(1,name)+b''.join(ld(4,i) for i in inputs)+b''.join(ld(5,o) for o in outputs)+attrs+nodes+fops+ld(10,'d'))
    G=ld(2,'g')+ld(11,vinfo('x'))+ld(12,vinfo('y'))
    if kind=='selfcall':  # chain of n functions, each calls the next and itself
        fs=b''.join(fn('f%d'%i, ld(7,node('f%d'%(i+1) if i+1<n else 'f%d'%i,['x'],['a'],domain='d'))+ld(7,node('f%d'%i,['a'],['y'],domain='d'))) for i in range(n))
        m=model(G+ld(1,node('f0',['x'],['y'],domain='d')),opset=ops,functions=fs)
    elif kind=='chain':
        fs=b''.join(fn('f%d'%i, ld(7,node('f%d'%(i+1),['x'],['y'],domain='d') if i+1<n else node('Relu',['x'],['y']))) for i in range(n))
        m=model(G+ld(1,node('f0',['x'],['y'],domain='d')),opset=ops,functions=fs)
    elif kind=='callattrs': # function with n attributes, n nodes calling it with one attribute
        fs=fn('f',ld(7,node('Relu',['x'],['y'])),attrs=b''.join(ld(6,'a%d'%i) for i in range(n)))
        m=model(G+b''.join(ld(1,node('f',['x'],['y' if i==0 else 'v%d'%i],attr_i('a1',1),domain='d')) for i in range(n)),opset=ops,functions=fs)
    elif kind=='training':
        m=model(G+ld(1,node('Relu',['x'],['y']))+b''.join(ld(5,tensor('w%d'%i,1,(1,),b'0000')) for i in range(n)),extra=b''.join(ld(20,b'') for i in range(n)))
    elif kind=='sharding':
        nd=node('Sum',['x%d'%i for i in range(n)],['y'],extra=ld(10,ld(1,'c')+b''.join(ld(2,ld(1,'q%d'%i)) for i in range(n))))
        m=model(G+ld(1,nd),ir=11)
    elif kind=='extkeys':
        t=iv(1,1)+iv(2,1)+ld(8,'w')+iv(14,1)+b''.join(ld(13,ld(1,'k%d'%i)+ld(2,'v')) for i in range(n))
        m=model(G+ld(1,node('Relu',['x'],['y']))+ld(5,t))
    elif kind=='fnames': # n functions with 50 char names, 100 unknown calls
        fs=b''.join(fn(('q%d'%i).ljust(50,'z'),ld(7,node('Relu',['x'],['y']))) for i in range(n))
        m=model(G+b''.join(ld(1,node(('u%d'%i).ljust(52,'k'),['x'],['y' if i==0 else 'v%d'%i],domain='d')) for i in range(100)),opset=ops,functions=fs)
    elif kind=='refnames': # function with n attributes of 50 chars and 100 unknown references
        fs=fn('f',b''.join(ld(7,node('Relu',['x'],['y%d'%i if i else 'y'],ld(5,ld(1,'k')+iv(20,2)+ld(21,('u%d'%i).ljust(52,'k'))))) for i in range(100)),attrs=b''.join(ld(6,('q%d'%i).ljust(50,'z')) for i in range(n)))
        m=model(G+ld(1,node('f',['x'],['y'],domain='d')),opset=ops,functions=fs)
    elif kind=='samename':
        m=model(G+b''.join(ld(1,node('Relu',['x'],['y'],name='n')) for i in range(n)))
    elif kind=='attrs':
        m=model(G+ld(1,node('Relu',['x'],['y'],b''.join(attr_i('a%d'%i,1) for i in range(n)))))
    elif kind=='meta':
        m=model(G+ld(1,node('Relu',['x'],['y'])),extra=b''.join(ld(14,ld(1,'a%d'%i)+ld(2,'b')) for i in range(n)))
    elif kind=='vinfos':
        m=model(G+ld(1,node('Relu',['x'],['y']))+b''.join(ld(13,vinfo('a%d'%i)) for i in range(n)))
    elif kind=='inputs':
        m=model(G+ld(1,node('Relu',['x'],['y']))+b''.join(ld(11,vinfo('a%d'%i)) for i in range(n)))
    elif kind=='reverse': # nodes in reverse order
        m=model(G+b''.join(ld(1,node('Relu',['v%d'%(i-1) if i else 'x'],['v%d'%i if i+1<n else 'y'])) for i in reversed(range(n))))
    elif kind=='cycle':
        m=model(G+ld(1,node('Relu',['x'],['y']))+b''.join(ld(1,node('Relu',['c%d'%((i+1)%n)],['c%d'%i])) for i in range(n)))
    elif kind=='cycles2':
        m=model(G+ld(1,node('Relu',['x'],['y']))+b''.join(ld(1,node('Add',['c%d'%((i+1)%n),'c0'],['c%d'%i])) for i in range(n)))
    elif kind=='ifs': # n If nodes each reading outer later-defined names
        def g(nm,src): return ld(2,'b')+ld(1,node('Relu',[src],[nm]))+ld(12,vinfo(nm))
        m=model(G+b''.join(ld(1,node('If',['later%d'%i],['z%d'%i],ld(5,ld(1,'then_branch')+ld(6,g('t','later%d'%i))+iv(20,5))+ld(5,ld(1,'else_branch')+ld(6,g('e','later%d'%i))+iv(20,5)))) for i in range(n))+b''.join(ld(1,node('Relu',['x'],['later%d'%i])) for i in range(n)))
    elif kind=='duplnodes':
        m=model(G+b''.join(ld(1,node('Relu',['x'],['y'])) for i in range(n)))
    elif kind=='quant':
        m=model(G+ld(1,node('Relu',['x'],['y']))+b''.join(ld(14,ld(1,'x')+ld(2,ld(1,'SCALE_TENSOR')+ld(2,'x'))) for i in range(n)))
    elif kind=='opsets':
        m=model(G+ld(1,node('Relu',['x'],['y'])),opset=ops+b''.join(ld(8,ld(1,'dom%d'%i)+iv(2,1)) for i in range(n)))
    elif kind=='fopsets':
        fs=b''.join(fn('f%d'%i,ld(7,node('Relu',['x'],['y']))) for i in range(n))
        m=model(G+ld(1,node('Relu',['x'],['y'])),opset=ops,functions=fs)
    elif kind=='imports': # n opset imports before the one of n nodes
        m=model(G+ld(1,node('Relu',['x'],['y']))*n,opset=b''.join(ld(8,ld(1,'dom%d'%i)+iv(2,1)) for i in range(n))+ops)
    elif kind=='gopsets': # n opset imports in model x n functions
        fs=b''.join(fn('f%d'%i,ld(7,node('Relu',['x'],['y']))) for i in range(n))
        m=model(G+ld(1,node('Relu',['x'],['y'])),opset=ops+b''.join(ld(8,ld(1,'dom%d'%i)+iv(2,1)) for i in range(n)),functions=fs)
    return m

def for_diff(kind, n, tag, elem):
    if kind=='outputs':   # n outputs with other names
        g=ld(2,'g')+ld(11,vinfo('x'))+b''.join(ld(1,node('Relu',['x'],['%s%d'%(tag,i)]))+ld(12,vinfo('%s%d'%(tag,i))) for i in range(n))
    elif kind=='inputs':  # n inputs of other names and types
        g=ld(2,'g')+b''.join(ld(11,vinfo('%s%d'%(tag,i),elem)) for i in range(n))
    elif kind=='attrs':
        at=b''.join(attr_i('%s%d'%(tag,i),i) for i in range(n))
        g=ld(2,'g')+ld(11,vinfo('x'))+ld(12,vinfo('y'))+ld(1,node('A' if tag=='a' else 'B',['x'],['y'],at))
    elif kind=='permute':
        r=list(range(n)); random.Random(1).shuffle(r) if tag=='b' else None
        g=ld(2,'g')+ld(11,vinfo('x'))+b''.join(ld(1,node('Relu',['x'],['v%d'%i])) for i in r)+ld(12,vinfo('v0'))
    elif kind=='samename':
        g=ld(2,'g')+ld(11,vinfo('x'))+b''.join(ld(1,node('Relu' if tag=='a' else 'Sigmoid',['x'],['v%d'%i],name='n')) for i in range(n))+ld(12,vinfo('v0'))
    elif kind=='chain':
        g=ld(2,'g')+ld(11,vinfo('v0'))+b''.join(ld(1,node('Relu',['v%d'%i],['v%d'%(i+1)])) for i in range(n))+ld(12,vinfo('v%d'%n))
        if tag=='b': g=ld(2,'g')+ld(11,vinfo('v0'))+b''.join(ld(1,node('Neg' if i%2 else 'Abs',['w%d'%i if i else 'v0'],['w%d'%(i+1)])) for i in range(n))+ld(12,vinfo('w%d'%n))
    elif kind=='inits':
        g=ld(2,'g')+b''.join(ld(5,tensor('%s%d'%(tag,i),1,(1,),struct.pack('<f',i+(tag=='b')))) for i in range(n))
    elif kind=='meta':
        g=ld(2,'g')+b''.join(ld(16,ld(1,'%s%d'%(tag,i))+ld(2,'v')) for i in range(n))
    elif kind=='vinfos':
        g=ld(2,'g')+b''.join(ld(13,vinfo('%s%d'%(tag,i))) for i in range(n))
    elif kind=='funcs':
        g=ld(2,'g')
        fs=b''.join(ld(25,ld(1,'%s%d'%(tag,i))+ld(10,'d')+ld(4,'x')+ld(5,'y')+ld(7,node('Relu',['x'],['y']))) for i in range(n))
        return model(g,functions=fs)
    elif kind=='fan':  # one value read by n nodes; producer replaced
        g=ld(2,'g')+ld(11,vinfo('x'))+ld(1,node('Relu',['x'],['p'+tag]))+b''.join(ld(1,node('Add',['p'+tag,'p'+tag],['v%d'%i])) for i in range(n))+ld(12,vinfo('v0'))
    elif kind=='manyin':
        g=ld(2,'g')+ld(11,vinfo('x'))+ld(1,node('Sum',['x' if tag=='a' else 'x2']*n,['y']))+ld(12,vinfo('y'))
    return model(g)

def for_print(kind, n, tag='a'):
    G=ld(2,'g')+ld(11,vinfo('x'))+ld(12,vinfo('y'))
    if kind=='dupout': m=model(G+ld(1,node('S'+('' if tag=='a' else 'x'),['x'],['y']*n))+b''.join(ld(1,node('Relu',['y'],['v%d'%i])) for i in range(n)))
    elif kind=='dims': m=model(G+ld(5,b''.join(iv(1,1) for i in range(n))+iv(2,1)+ld(8,'w')+ld(9,b'0000'))+b''.join(ld(1,node('Relu',['w'],['v%d'%i])) for i in range(n)))
    elif kind=='tdims': m=model(G+ld(13,vinfo('w',1,list(range(n))))+ld(1,node('R',['x'],['w']))+b''.join(ld(1,node('Relu',['w'],['v%d'%i])) for i in range(n)))
    elif kind=='bigstr': m=model(G+ld(5,iv(1,n)+iv(2,8)+ld(8,'w')+b''.join(ld(6,'s') for i in range(n)))+b''.join(ld(1,node('Relu',['w'],['v%d'%i])) for i in range(n)))
    elif kind=='bigtyped': m=model(G+ld(5,iv(1,n)+iv(2,1)+ld(8,'w')+ld(4,b'0000'*n))+b''.join(ld(1,node('Relu',['w'],['v%d'%i])) for i in range(n)))
    elif kind=='bigattr': m=model(G+b''.join(ld(1,node('Relu',['x'],['v%d'%i],ld(5,ld(1,'ints')+iv(20,7)+b''.join(iv(8,1) for k in range(1000))))) for i in range(n//100)))
    elif kind=='longnames': m=model(G+ld(5,tensor('w'*n,1,(1,),b'0000'))+b''.join(ld(1,node('Relu',['x'],['v%d'%i])) for i in range(n)))
    elif kind=='longdomain':  # function with a long name called n times
        N='f'*n
        m=model(G+b''.join(ld(1,node('h%d'%i,['x'],['v%d'%i],domain='d')) for i in range(n)),opset=ld(8,ld(1,'')+iv(2,21))+ld(8,ld(1,'d')+iv(2,1)),functions=ld(25,ld(1,N)+ld(10,'d')+ld(4,'x')+ld(5,'y')+ld(7,node('Relu',['x'],['y']))+ld(9,ld(1,'')+iv(2,21))))
    elif kind=='inputsinit': m=model(G+b''.join(ld(11,vinfo('w%d'%i))+ld(5,tensor('w%d'%i,1,(1,),b'0000')) for i in range(n)))
    elif kind=='ops': m=model(G+b''.join(ld(1,node('O%d'%i,['x'],['v%d'%i])) for i in range(n)))
    elif kind=='funcs': m=model(G,functions=b''.join(ld(25,ld(1,'f%d'%i)+ld(10,'d')+ld(4,'x')+ld(5,'y')) for i in range(n)))
    elif kind=='sparse': m=model(G+b''.join(ld(15,ld(1,tensor('s%d'%i,1,(1,),b'0000'))+ld(2,iv(1,1)+iv(2,7)+ld(7,vi(0)))+iv(3,5)) for i in range(n)))
    elif kind=='sparse1': m=model(G+ld(15,ld(1,iv(1,n)+iv(2,1)+ld(8,'s')+ld(9,b'0000'*n))+ld(2,iv(1,n)+iv(2,7)+ld(7,b''.join(vi(i) for i in range(n))))+iv(3,n)))
    elif kind=='device': m=model(G+b''.join(ld(1,node('Relu',['x'],['v%d'%i],extra=ld(10,ld(1,'c%d'%i)+ld(2,ld(1,'x'))))) for i in range(n)),ir=11,extra=b''.join(ld(26,ld(1,'c%d'%i)+iv(2,1)) for i in range(n)))
    elif kind=='quantdup': m=model(G+b''.join(ld(14,ld(1,'q%d'%i)) for i in range(n)))
    elif kind=='unknown': m=model(G,extra=b''.join(iv(500,i) for i in range(n)))
    elif kind=='graphsattr': m=model(G+ld(1,node('Relu',['x'],['y'],ld(5,ld(1,'gs')+iv(20,10)+b''.join(ld(11,ld(2,'b%d'%i)+ld(1,node('Relu',['x'],['z']))) for i in range(n))))))
    return m

def for_link(kind, n):
    ops=ld(8, ld(1,'')+iv(2,21))+ld(8,ld(1,'d')+iv(2,1))
    fops=ld(9, ld(1,'')+iv(2,21))
    def fn(name,nodes=b'',attrs=b'',fo=fops):
        return ld(25,ld(1,name)+ld(4,'x')+ld(5,'y')+attrs+nodes+fo+ld(10,'d'))
    G=ld(2,'g')+ld(11,vinfo('x'))+ld(12,vinfo('y'))
    m=model(G+ld(1,node('f',['x'],['y'],domain='d')),opset=ops)
    if kind=='dup':   # the same function n times, the first one large
        big=ld(8,'D'*(n*20))
        lib=fn('f',ld(7,node('Relu',['x'],['y'])),attrs=big)+fn('f',ld(7,node('Relu',['x'],['y'])))*n
    elif kind=='imports':  # one function with n nodes and n imports of domain '' of other versions
        lib=fn('f',ld(7,node('Relu',['x'],['y']))*n,fo=b''.join(ld(9,ld(1,'')+iv(2,21 if i==0 else 20+(i%2)*2)) for i in range(n)))
    elif kind=='chain':
        lib=fn('f',ld(7,node('f0',['x'],['y'],domain='d')))+b''.join(fn('f%d'%i,ld(7,node('f%d'%(i+1),['x'],['y'],domain='d'))) for i in range(n))
    elif kind=='samename':
        lib=b''.join(fn('f%d'%i,ld(7,node('Relu',['x'],['y']))) for i in range(n))+fn('f',b''.join(ld(7,node('f%d'%i,['x'],['y'],domain='d')) for i in range(n)))
    return m, lib


def linked_findings(n):
    """Returns a text that calls n functions, and the text of the library, with a finding in each function."""
    functions=''.join('<domain: "d", opset_import: ["" : 21]>\nf%d (x) => (y) { u = Neg (x) y = Relu (x) }\n'%i for i in range(n))
    calls=''.join('y%d = d.f%d (x)\n'%(i,i) for i in range(n))
    return '<ir_version: 10, opset_import: ["" : 21, "d" : 1]>\ng (float[N] x) => (float[N] y0) {\n%s}'%calls, functions


def packed_run(n):
    """Returns int64_data with some zeros and then a varint without an end."""
    data = b'\0' * 80 + b'\x80' * (2000 * n)
    return model(ld(2, 'g') + ld(5, iv(1, 5) + iv(2, 7) + ld(8, 'w') + ld(7, data)))


def small_tensors(n):
    return model(ld(2, 'g') + b''.join(ld(5, tensor('w%d' % i, 2, (1,), b'a')) for i in range(n)))


M=(1<<64)-1; mul=(0xc6a4a793<<32)+0x5bd1e995; mul&=M; inv=pow(mul,-1,1<<64)
sm=lambda v: v^(v>>47)
f=lambda k: (sm(k*mul&M)*mul)&M
finv=lambda d: (sm(d*inv&M)*inv)&M
def names(n):
    h0=0xc70f6907^(16*mul&M); T=0x0123456789abcdef; out=[]
    for i in range(n):
        k1=b'%08d'%i; h1=((h0^f(int.from_bytes(k1,'little')))*mul)&M; k2=finv(h1^T)
        out.append(k1+k2.to_bytes(8,'little'))
    return out
def node_b(op,i,o):
    return b''.join(ld(1,x) for x in i)+b''.join(ld(2,x) for x in o)+ld(4,op)


def equal_hashes(n, is_random=False):
    """Nodes whose outputs all have the same std::hash in libstdc++, or random names as long."""
    N = names(n)
    if is_random:
        r = random.Random(1)
        N = [b'%08d' % i + r.randbytes(8) for i in range(n)]
    nodes = b''.join(ld(1, node_b('Relu', [b'x'], [x])) for x in N)
    return model(nodes + ld(2, 'g') + ld(11, vinfo('x')) + ld(12, ld(1, N[0]) + ld(2, ttype(1, ()))))


# Files of settings; more than 64 KB of them are not read.
SETTINGS = {
    'unknown keys': lambda n: ''.join('k%d = 1\n' % i for i in range(n)),
    'unknown kinds': lambda n: '[warnings]\n' + ''.join('kind-%d = "off"\n' % i for i in range(n)),
    'wrong levels': lambda n: '[warnings]\n' + ''.join('"k%d" = %d\n' % (i, i) for i in range(n)),
    'one line': lambda n: 'warnings = {' + ', '.join('k%d = "x"' % i for i in range(n)) + '}',
    'dotted key': lambda n: '.'.join(['a'] * n) + ' = 1',
    'dotted keys': lambda n: ''.join('a%d.b.c = 1\n' % i for i in range(n)),
    'tables': lambda n: ''.join('[t%d]\na = 1\n' % i for i in range(n)),
    'deep tables': lambda n: ''.join('[%s]\n' % '.'.join(['a%d' % i] * 10) for i in range(n)),
    'arrays of tables': lambda n: '[[a]]\n' * n,
    'array tower': lambda n: 'a = ' + '[' * n,
    'table tower': lambda n: 'a = ' + '{a=' * n,
    'long array': lambda n: 'a = [' + '1, ' * n + ']',
    'comments': lambda n: '# ... ... ...\n' * n,
    'long string': lambda n: 'a = """' + 'x.\n' * n + '"""',
    'escapes': lambda n: 'a = "' + '\\u00e4' * n + '"',
}
