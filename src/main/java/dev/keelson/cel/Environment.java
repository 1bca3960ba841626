package dev.keelson.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelComprehensionsExtensions;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelOptionalLibrary;
import dev.cel.extensions.CelSetsExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Map;

/**
 * The environment of expressions: variables, the standard functions and macros of CEL, and
 * Kubernetes' libraries: optional values, strings, sets, lists, regular expressions, two-variable
 * comprehensions, quantities, IP addresses, URLs and formats. The first environment loads the CEL
 * library, so it is created for the first expression only.
 */
public final class Environment {

  /** Maximum number of iterations of all comprehensions of an evaluation. */
  private static final int MOST_ITERATIONS = 250_000;

  private final CelCompiler compiler;
  private final CelRuntime runtime;
  private final long mostCost;

  /**
   * @param variables the types of variables by name
   */
  public Environment(Map<String, ValueType> variables) {
    this(variables, CostBudget.MOST);
  }

  Environment(Map<String, ValueType> variables, long mostCost) {
    this.mostCost = mostCost;
    CelOptions options =
        CelOptions.current()
            .comprehensionMaxIterations(MOST_ITERATIONS)
            .enableHeterogeneousNumericComparisons(true)
            .build();
    CelStringExtensions strings = CelExtensions.strings();
    CelSetsExtensions sets = CelExtensions.sets(options);
    CelOptionalLibrary optional = CelExtensions.optional();
    CelComprehensionsExtensions comprehensions = CelExtensions.comprehensions();
    FunctionDeclarations functions = new FunctionDeclarations();
    QuantityFunctions.addTo(functions);
    AddressFunctions.addTo(functions);
    UrlFunctions.addTo(functions);
    FormatFunctions.addTo(functions);
    CelCompilerBuilder builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(options)
            .setTypeProvider(new DeclaredTypes(variables))
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addFunctionDeclarations(KubernetesFunctions.declarations())
            .addFunctionDeclarations(functions.declarations())
            .addLibraries(strings, sets, optional, comprehensions);
    variables.forEach((name, type) -> builder.addVar(name, DeclaredTypes.of(type)));
    compiler = builder.build();
    runtime =
        CelRuntimeFactory.legacyCelRuntimeBuilder()
            .setOptions(options)
            .addFunctionBindings(KubernetesFunctions.bindings())
            .addFunctionBindings(functions.bindings())
            .addLibraries(strings, sets, optional, comprehensions)
            .build();
  }

  /**
   * Compiles an expression.
   *
   * @param result the required type; dynamically typed expressions match every type
   * @throws IllegalArgumentException with the compiler's message, which has line and column
   */
  public Expression compile(String text, ValueType result) {
    CelValidationResult checked = compiler.compile(text);
    if (checked.hasError()) {
      throw new IllegalArgumentException("compilation failed: " + checked.getErrorString());
    }
    try {
      CelAbstractSyntaxTree tree = checked.getAst();
      CelType found = tree.getResultType();
      if (result != ValueType.Simple.ANY
          && !found.equals(SimpleType.DYN)
          && !DeclaredTypes.of(result).isAssignableFrom(found)) {
        throw new IllegalArgumentException("must evaluate to " + result.word());
      }
      return new Expression(text, tree, runtime.createProgram(tree), mostCost);
    } catch (CelValidationException | CelEvaluationException e) {
      throw new IllegalArgumentException("compilation failed: " + e.getMessage(), e);
    }
  }
}
