// Stands before the ANTLR runtime's umbrella header of the same name, which generated code includes. That one holds
// misc/InterpreterDataReader.h, which clang refuses in the runtimes 4.7 to 4.9 (a default constructor that cannot be),
// and a hundred headers that no one needs here.
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
