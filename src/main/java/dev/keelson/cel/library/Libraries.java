package dev.keelson.cel.library;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelOptionalLibrary;
import dev.cel.extensions.CelSetsExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelInternalRuntimeLibrary;
import dev.cel.runtime.CelRuntimeLibrary;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * All functions of expressions, as in Kubernetes 1.36 (source: apiserver/pkg/cel/environment):
 * CEL's standard functions, optional values, strings, lists, sets, two-variable comprehensions, and
 * Kubernetes' libraries.
 */
public final class Libraries {

  /** Version 2 of the strings library, as in Kubernetes. */
  private static final Set<CelStringExtensions.Function> STRINGS =
      EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE));

  /** Number of sets of standard functions whose declarations are kept. */
  private static final int MOST_STANDARD = 256;

  /** The names of the standard functions. */
  private static final Set<String> STANDARD =
      Arrays.stream(CelStandardDeclarations.StandardFunction.values())
          .map(CelStandardDeclarations.StandardFunction::functionName)
          .collect(Collectors.toUnmodifiableSet());

  private final CelOptions options;
  private final List<CelCompilerLibrary> extensions;
  private final CelCompilerLibrary comprehensions;
  private final FunctionDeclarations functions = new FunctionDeclarations();
  private final Map<String, List<CelFunctionDecl>> declared = new HashMap<>();

  /** By the names of the functions; expressions that call the same ones share them. */
  private final Map<Set<String>, CelStandardDeclarations> standard = new ConcurrentHashMap<>();

  /** The libraries under these options. */
  public Libraries(CelOptions options) {
    this.options = options;
    CelStringExtensions strings = CelExtensions.strings(STRINGS);
    CelSetsExtensions sets = CelExtensions.sets(options);
    CelOptionalLibrary optional = CelExtensions.optional();
    this.comprehensions = CelExtensions.comprehensions();
    this.extensions = List.of(strings, sets, optional, comprehensions, new SortByMacro());
    GoFunctions.addTo(functions);
    QuantityFunctions.addTo(functions);
    AddressFunctions.addTo(functions);
    UrlFunctions.addTo(functions);
    FormatFunctions.addTo(functions);
    SemverFunctions.addTo(functions);
    StringFormat.addTo(functions);
    AuthorizerFunctions.addTo(functions);
    PatchFunctions.addTo(functions);
    ListFunctions.addTo(functions);
    ListExtension.addTo(functions);
    RegexFunctions.addTo(functions);
    declare(strings.functions());
    declare(sets.functions());
    declare(optional.functions());
    declare(functions.declarations());
  }

  /** Whether a function is only for expressions that change objects. */
  public static boolean isForMutations(String function) {
    return function.equals(PatchFunctions.ESCAPE_KEY);
  }

  private void declare(Collection<CelFunctionDecl> added) {
    for (CelFunctionDecl function : added) {
      declared.computeIfAbsent(function.name(), name -> new ArrayList<>()).add(function);
    }
  }

  /** The extensions of CEL, whose macros the parser needs. */
  public List<CelCompilerLibrary> extensions() {
    return extensions;
  }

  /** The extensions and the macro {@code cel.bind}, which only some expressions may use. */
  public List<CelCompilerLibrary> extensionsWithBindings() {
    List<CelCompilerLibrary> more = new ArrayList<>(extensions);
    more.add(CelExtensions.bindings());
    return List.copyOf(more);
  }

  /** The extension whose functions only macros with two variables call. */
  public CelCompilerLibrary comprehensions() {
    return comprehensions;
  }

  /** The functions beside the standard ones that have one of the names. */
  public List<CelFunctionDecl> declarations(Set<String> names) {
    List<CelFunctionDecl> found = new ArrayList<>();
    for (String name : names) {
      found.addAll(declared.getOrDefault(name, List.of()));
    }
    return found;
  }

  /** The standard functions that have one of the names. */
  public CelStandardDeclarations standardDeclarations(Set<String> names) {
    Set<String> known = new HashSet<>(names);
    known.retainAll(STANDARD);
    CelStandardDeclarations made = standard.get(known);
    if (made == null) {
      made =
          CelStandardDeclarations.newBuilder()
              .filterFunctions((function, overload) -> known.contains(function.functionName()))
              .build();
      if (standard.size() < MOST_STANDARD) {
        standard.put(known, made);
      }
    }
    return made;
  }

  /** The implementations of all functions. */
  public List<CelFunctionBinding> bindings() {
    RuntimeEquality equality = RuntimeEquality.create(RuntimeHelpers.create(), options);
    List<CelFunctionBinding> bindings = new ArrayList<>(functions.bindings());
    bindings.addAll(
        CelStandardFunctions.newBuilder().build().newFunctionBindings(equality, options));
    BindingCollector collector = new BindingCollector(bindings);
    for (CelCompilerLibrary extension : extensions) {
      if (extension instanceof CelInternalRuntimeLibrary library) {
        library.setRuntimeOptions(collector, equality, options);
      } else if (extension instanceof CelRuntimeLibrary library) {
        library.setRuntimeOptions(collector);
      }
    }
    return bindings;
  }
}
