package dev.keelson.cel.compile;

import dev.cel.checker.CelChecker;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.CelVarDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;
import dev.cel.parser.CelStandardMacro;
import dev.keelson.cel.compile.CompilationException.Stage;
import dev.keelson.cel.library.Libraries;
import dev.keelson.cel.plan.Functions;
import dev.keelson.cel.plan.Planner;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Compiles expressions over declared variables. Safe for use by several threads. */
public final class ExpressionCompiler {

  /** The limit of cel-go. Deeper expressions are refused; each level is a few frames of stack. */
  private static final int MOST_DEPTH = 250;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .maxParseRecursionDepth(MOST_DEPTH)
          .build();

  /** What all compilers share; made with the first of them, as it loads the library. */
  private static final class Shared {
    static final Libraries LIBRARIES = new Libraries(OPTIONS);
    static final Functions FUNCTIONS = new Functions(LIBRARIES.bindings());
    static final CelParser PARSER = parser(LIBRARIES.extensions());

    static CelParser parser(List<CelCompilerLibrary> extensions) {
      return CelParserFactory.standardCelParserBuilder()
          .setOptions(OPTIONS)
          .setStandardMacros(EnumSet.allOf(CelStandardMacro.class))
          .addLibraries(extensions)
          .build();
    }
  }

  /** The parser with the macro {@code cel.bind}; made when it is first needed. */
  private static final class WithBindings {
    static final CelParser PARSER = Shared.parser(Shared.LIBRARIES.extensionsWithBindings());
  }

  private final Function<Set<String>, CelTypeProvider> types;
  private final Predicate<String> functions;
  private final List<CelVarDecl> declarations;
  private final List<String> variables;
  private final CelParser parser;

  /**
   * A compiler.
   *
   * @param types the object types of the variables
   * @param variables the variables, in the order of their slots in a plan
   */
  public ExpressionCompiler(CelTypeProvider types, Map<String, CelType> variables) {
    this(fields -> types, variables, name -> !Libraries.isForMutations(name), Shared.PARSER);
  }

  /** A compiler for expressions that may name values by {@code cel.bind}. */
  public static ExpressionCompiler withBindings(
      CelTypeProvider types, Map<String, CelType> variables) {
    return new ExpressionCompiler(
        fields -> types, variables, name -> !Libraries.isForMutations(name), WithBindings.PARSER);
  }

  /**
   * A compiler for expressions that change objects, with the functions for them.
   *
   * @param types the object types, for an expression that names these fields
   */
  public static ExpressionCompiler forMutations(
      Function<Set<String>, CelTypeProvider> types, Map<String, CelType> variables) {
    return new ExpressionCompiler(types, variables, name -> true, Shared.PARSER);
  }

  private ExpressionCompiler(
      Function<Set<String>, CelTypeProvider> types,
      Map<String, CelType> variables,
      Predicate<String> functions,
      CelParser parser) {
    this.parser = parser;
    this.types = types;
    this.functions = functions;
    this.variables = List.copyOf(variables.keySet());
    this.declarations =
        variables.entrySet().stream()
            .map(variable -> CelVarDecl.newVarDeclaration(variable.getKey(), variable.getValue()))
            .toList();
  }

  /**
   * The checker for an expression. The library enters all declared functions into tables for each
   * expression, which costs far more than the check; so it gets those that the expression names.
   */
  private CelChecker checker(CelAbstractSyntaxTree parsed) {
    NamesInCalls named = NamesInCalls.of(parsed.getExpr());
    Set<String> names = named.functions();
    names.removeIf(functions.negate());
    CelCheckerBuilder builder =
        CelCompilerFactory.standardCelCheckerBuilder()
            .setOptions(OPTIONS)
            .setStandardEnvironmentEnabled(false)
            .setStandardDeclarations(Shared.LIBRARIES.standardDeclarations(names))
            .setTypeProvider(types.apply(named.fields()))
            .addFunctionDeclarations(Shared.LIBRARIES.declarations(names))
            .addVarDeclarations(declarations);
    if (names.stream().anyMatch(name -> name.startsWith("cel.@"))) {
      builder.addLibraries(Shared.LIBRARIES.comprehensions());
    }
    return builder.build();
  }

  /**
   * Compiles an expression.
   *
   * @throws CompilationException if it is not correct
   */
  public CompiledExpression compile(String text) throws CompilationException {
    CelAbstractSyntaxTree tree = checked(text);
    try {
      return new CompiledExpression(
          tree, Planner.plan(tree, variables, Shared.FUNCTIONS), variables);
    } catch (IllegalArgumentException e) {
      throw new CompilationException(Stage.INSTANTIATION, String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      throw new CompilationException(Stage.COMPILATION, SyntaxErrors.TOO_DEEP);
    }
  }

  private CelAbstractSyntaxTree checked(String text) throws CompilationException {
    try {
      CelValidationResult parsed = parser.parse(text);
      if (parsed.hasError()) {
        throw new CompilationException(Stage.COMPILATION, SyntaxErrors.text(parsed, text));
      }
      CelValidationResult checked = checker(parsed.getAst()).check(parsed.getAst());
      if (checked.hasError()) {
        throw new CompilationException(
            Stage.COMPILATION, CheckErrors.text(checked.getErrors(), parsed.getAst()));
      }
      List<CelIssue> issues = LiteralCheck.issues(checked.getAst());
      if (!issues.isEmpty()) {
        throw new CompilationException(
            Stage.COMPILATION, CheckErrors.text(issues, checked.getAst()));
      }
      return checked.getAst();
    } catch (CelValidationException | IllegalArgumentException e) {
      throw new CompilationException(Stage.COMPILATION, String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      throw new CompilationException(Stage.COMPILATION, SyntaxErrors.TOO_DEEP);
    }
  }
}
