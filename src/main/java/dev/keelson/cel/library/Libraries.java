package dev.keelson.cel.library;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelInternalRuntimeLibrary;
import dev.cel.runtime.CelRuntimeLibrary;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * All functions of expressions, as in Kubernetes 1.36 (source: apiserver/pkg/cel/environment):
 * CEL's standard functions, optional values, strings, sets, two-variable comprehensions, and
 * Kubernetes' libraries.
 */
public final class Libraries {

  /** Version 2 of the strings library, as in Kubernetes. */
  private static final Set<CelStringExtensions.Function> STRINGS =
      EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE));

  private final CelOptions options;
  private final List<CelCompilerLibrary> extensions;
  private final FunctionDeclarations functions = new FunctionDeclarations();

  /** The libraries under these options. */
  public Libraries(CelOptions options) {
    this.options = options;
    this.extensions =
        List.of(
            CelExtensions.strings(STRINGS),
            CelExtensions.sets(options),
            CelExtensions.optional(),
            CelExtensions.comprehensions());
    QuantityFunctions.addTo(functions);
    AddressFunctions.addTo(functions);
    UrlFunctions.addTo(functions);
    FormatFunctions.addTo(functions);
    SemverFunctions.addTo(functions);
    StringFormat.addTo(functions);
  }

  /** The extensions of CEL that the compiler needs. */
  public List<CelCompilerLibrary> extensions() {
    return extensions;
  }

  /** Kubernetes' functions for the compiler. */
  public List<CelFunctionDecl> declarations() {
    return ImmutableList.<CelFunctionDecl>builder()
        .addAll(KubernetesFunctions.declarations())
        .addAll(functions.declarations())
        .build();
  }

  /** The implementations of all functions. */
  public List<CelFunctionBinding> bindings() {
    RuntimeEquality equality = RuntimeEquality.create(RuntimeHelpers.create(), options);
    List<CelFunctionBinding> bindings = new ArrayList<>(KubernetesFunctions.bindings());
    bindings.addAll(functions.bindings());
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
