package dev.keelson.testing;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects a running {@link EtcdProcess} into the tests of a class, as a parameter of the
 * constructor or of a method. A test that stops it must start it again.
 */
public final class EtcdExtension implements ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(EtcdExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == EtcdProcess.class;
  }

  @Override
  public EtcdProcess resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext ofClass =
        context.getTestMethod().isPresent() ? context.getParent().orElseThrow() : context;
    return ofClass
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent("etcd", key -> EtcdProcess.create().start(), EtcdProcess.class);
  }
}
