// Generated code includes this header instead of the ANTLR runtime's umbrella header of the same name. The umbrella
// header includes misc/InterpreterDataReader.h, which clang refuses in the runtimes 4.7 to 4.9 (because of an
// impossible default constructor), and a hundred headers that are not needed here.
#pragma once

#include <ANTLRInputStream.h>
#include <FailedPredicateException.h>
#include <InputMismatchException.h>
#include <Lexer.h>
#include <NoViableAltException.h>
#include <Parser.h>
#include <ParserRuleContext.h>
#include <RecognitionException.h>
#include <Token.h>
#include <TokenSource.h>
#include <TokenStream.h>
#include <Vocabulary.h>
#include <WritableToken.h>
#include <antlr4-common.h>
#include <atn/ATN.h>
#include <atn/ATNDeserializer.h>
#include <atn/LexerATNSimulator.h>
#include <atn/ParserATNSimulator.h>
#include <atn/PredictionContext.h>
#include <atn/RuleStartState.h>
#include <atn/RuleStopState.h>
#include <atn/RuleTransition.h>
#include <atn/Transition.h>
#include <dfa/DFA.h>
#include <misc/Interval.h>
#include <support/CPPUtils.h>
#include <tree/TerminalNode.h>
