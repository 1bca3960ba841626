package dev.keelson.cel.admission;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import dev.keelson.cel.compile.CompilationException;
import dev.keelson.cel.compile.CompiledExpression;
import dev.keelson.cel.compile.ExpressionCompiler;
import dev.keelson.cel.compile.TypeDeclarations;
import dev.keelson.cel.library.AuthorizerFunctions;
import dev.keelson.cel.type.DataType;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the expressions of one policy, or match conditions. Expressions see the variables that
 * were compiled before them. Used by one thread.
 */
public final class PolicyCompiler {

  /** What an expression sees beside {@code object}, {@code request} and the like. */
  public enum Sees {
    /** {@code params}. */
    PARAMS,
    /** {@code authorizer}. */
    AUTHORIZER,
    /** {@code Object{}} and {@code JSONPatch{}}. */
    PATCH_TYPES
  }

  /** Number of expressions that are shared; all are forgotten when there are more. */
  private static final int MOST_SHARED = 10_000;

  /**
   * Compiled expressions: what the validation of a policy compiles is evaluated, and policies have
   * many expressions in common.
   */
  private static final Map<Key, SoftReference<Compiled>> SHARED = new ConcurrentHashMap<>();

  /** What the compilation of an expression depends on. */
  private record Key(
      String text,
      ResultType result,
      Set<Sees> sees,
      boolean composed,
      Map<String, CelType> variables) {}

  private final boolean typed;
  private final PolicyTypes types;
  private final CelType object;
  private final CelType params;
  private final CelType request;
  private final CelType namespace;
  private final boolean composed;
  private final List<PolicyVariable> variables = new ArrayList<>();
  private final Map<Set<Sees>, ExpressionCompiler> compilers = new LinkedHashMap<>();

  private PolicyCompiler(boolean composed, DataType object, @Nullable DataType params) {
    this.composed = composed;
    this.typed = !object.equals(DataType.DYN) || params != null;
    TypeDeclarations declared = new TypeDeclarations();
    this.request = declared.declare(AdmissionTypes.REQUEST);
    this.namespace = declared.declare(AdmissionTypes.NAMESPACE);
    this.object = declared.declare(object);
    this.params = params == null ? SimpleType.DYN : declared.declare(params);
    this.types = new PolicyTypes(declared.provider());
  }

  /** A compiler for the expressions of a policy, whose objects are dynamically typed. */
  public static PolicyCompiler forPolicy() {
    return new PolicyCompiler(true, DataType.DYN, null);
  }

  /** A compiler for expressions without {@code variables}, as match conditions of webhooks. */
  public static PolicyCompiler forConditions() {
    return new PolicyCompiler(false, DataType.DYN, null);
  }

  /**
   * A compiler that checks expressions against the types of a policy's objects.
   *
   * @param params the type of the params; null if it is not known
   */
  public static PolicyCompiler typed(DataType object, @Nullable DataType params) {
    return new PolicyCompiler(true, object, params);
  }

  /** The variables, in their order. */
  public List<PolicyVariable> variables() {
    return List.copyOf(variables);
  }

  /** Compiles a variable, which the expressions after it see even if it is wrong. */
  public PolicyExpression variable(String name, String text, Set<Sees> sees) {
    Compiled compiled = compiled(text, ResultType.ANY, sees);
    types.add(name, compiled.type);
    variables.removeIf(known -> known.name().equals(name));
    variables.add(new PolicyVariable(name, compiled.expression));
    return compiled.expression;
  }

  /** Compiles an expression; {@code variables} are seen if the compiler is for a policy. */
  public PolicyExpression compile(String text, ResultType result, Set<Sees> sees) {
    return compiled(text, result, sees).expression;
  }

  private record Compiled(PolicyExpression expression, CelType type) {
    static Compiled wrong(String text, String error) {
      return new Compiled(PolicyExpression.wrong(text, error), SimpleType.DYN);
    }
  }

  private Compiled compiled(String text, ResultType result, Set<Sees> sees) {
    if (typed) {
      return freshly(text, result, sees);
    }
    Key key = new Key(text, result, Set.copyOf(sees), composed, types.variables());
    SoftReference<Compiled> known = SHARED.get(key);
    Compiled compiled = known == null ? null : known.get();
    if (compiled == null) {
      compiled = freshly(text, result, sees);
      if (SHARED.size() >= MOST_SHARED) {
        SHARED.clear();
      }
      SHARED.put(key, new SoftReference<>(compiled));
    }
    return compiled;
  }

  private Compiled freshly(String text, ResultType result, Set<Sees> sees) {
    try {
      CompiledExpression compiled = compiler(sees).compile(text);
      CelType type = compiled.tree().getResultType();
      String problem = result.problem(type);
      return problem.isEmpty()
          ? new Compiled(PolicyExpression.of(text, compiled), type)
          : Compiled.wrong(text, problem);
    } catch (CompilationException e) {
      return Compiled.wrong(text, e.text());
    }
  }

  private ExpressionCompiler compiler(Set<Sees> sees) {
    return compilers.computeIfAbsent(Set.copyOf(sees), this::newCompiler);
  }

  private ExpressionCompiler newCompiler(Set<Sees> sees) {
    Map<String, CelType> inputs = new LinkedHashMap<>();
    inputs.put(Input.OBJECT.word(), object);
    inputs.put(Input.OLD_OBJECT.word(), object);
    inputs.put(Input.NAMESPACE.word(), namespace);
    inputs.put(Input.REQUEST.word(), request);
    if (sees.contains(Sees.PARAMS)) {
      inputs.put(Input.PARAMS.word(), params);
    }
    if (sees.contains(Sees.AUTHORIZER)) {
      inputs.put(Input.AUTHORIZER.word(), AuthorizerFunctions.TYPE);
      inputs.put(Input.REQUEST_RESOURCE.word(), AuthorizerFunctions.RESOURCE_TYPE);
    }
    if (composed) {
      inputs.put(Input.VARIABLES.word(), StructTypeReference.create(PolicyTypes.VARIABLES));
    }
    return sees.contains(Sees.PATCH_TYPES)
        ? ExpressionCompiler.forMutations(types::withPatchTypes, inputs)
        : new ExpressionCompiler(types, inputs);
  }
}
