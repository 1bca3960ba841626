package dev.keelson.junit;

import dev.keelson.junit.KeelsonTest.As;
import dev.keelson.junit.KeelsonTest.Isolation;
import dev.keelson.junit.KeelsonTest.Kubeconfig;
import dev.keelson.junit.KeelsonTest.Namespace;
import java.lang.reflect.Parameter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** The extension behind {@link KeelsonTest}. */
final class KeelsonExtension
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, ParameterResolver {

  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(KeelsonExtension.class);

  /** By the name of the type, since the libraries of the clients may be absent. */
  private static final Map<String, BiFunction<TestUser, ClassFixture, Object>> CLIENTS =
      Map.of(
          "io.fabric8.kubernetes.client.KubernetesClient",
          (user, fixture) -> fixture.closing(user.fabric8()),
          "io.fabric8.kubernetes.client.NamespacedKubernetesClient",
          (user, fixture) -> fixture.closing(user.fabric8()),
          "io.kubernetes.client.openapi.ApiClient",
          (user, fixture) -> user.javaClient());

  private static final Set<Class<?>> OWN =
      Set.of(KeelsonServer.class, TestUser.class, AuditLog.class);

  /** Made by JUnit. */
  KeelsonExtension() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    if (context.getStore(STORE).get(ClassFixture.class) == null) {
      Class<?> test = context.getRequiredTestClass();
      KeelsonTest settings =
          AnnotationSupport.findAnnotation(test, KeelsonTest.class)
              .orElseThrow(() -> new IllegalStateException(test + " has no @KeelsonTest"));
      context.getStore(STORE).put(ClassFixture.class, ClassFixture.of(test, settings));
      context.getStore(STORE).put(Class.class, test);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    // nested classes have that of their outer class
    if (context.getRequiredTestClass().equals(context.getStore(STORE).get(Class.class))) {
      fixture(context).close();
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(STORE).put(AuditLog.class, fixture(context).audit());
  }

  private static ClassFixture fixture(ExtensionContext context) {
    return context.getStore(STORE).get(ClassFixture.class, ClassFixture.class);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return OWN.contains(type)
        || CLIENTS.containsKey(type.getName())
        || (type == String.class && parameter.isAnnotated(Namespace.class))
        || ((type == String.class || type == Path.class)
            && parameter.isAnnotated(Kubeconfig.class));
  }

  @Override
  public Object resolveParameter(ParameterContext context, ExtensionContext extension) {
    ClassFixture fixture = fixture(extension);
    Parameter parameter = context.getParameter();
    Class<?> type = parameter.getType();
    if (context.isAnnotated(As.class)
        && (type == KeelsonServer.class
            || type == AuditLog.class
            || context.isAnnotated(Namespace.class))) {
      throw new ParameterResolutionException(
          "@As is for clients, TestUser and kubeconfigs, not for " + parameter);
    }
    if (type == KeelsonServer.class) {
      return fixture.server();
    }
    if (type == AuditLog.class) {
      AuditLog log = extension.getStore(STORE).get(AuditLog.class, AuditLog.class);
      return log == null ? fixture.audit() : log;
    }
    if (context.isAnnotated(Namespace.class)) {
      return fixture.namespace();
    }
    TestUser user =
        context
            .findAnnotation(As.class)
            .map(as -> fixture.user(as.value()))
            .orElseGet(fixture::administrator);
    if (type == TestUser.class) {
      return user;
    }
    if (context.isAnnotated(Kubeconfig.class)) {
      return type == Path.class ? user.kubeconfigFile() : user.kubeconfig();
    }
    BiFunction<TestUser, ClassFixture, Object> client = CLIENTS.get(type.getName());
    if (client == null) {
      throw new ParameterResolutionException("no value for " + parameter);
    }
    return client.apply(user, fixture);
  }

  /** The settings of the server of a class. */
  static KeelsonServer server(KeelsonTest settings) {
    KeelsonServer.Builder builder = KeelsonServer.builder();
    Arrays.stream(settings.flags()).forEach(builder::flag);
    if (settings.simulatedNodes() > 0) {
      builder.simulatedNodes(settings.simulatedNodes());
    }
    if (settings.store() != PreparedStore.class) {
      builder.store(settings.store());
    }
    return ownServer(settings) ? builder.start() : builder.shared();
  }

  /** Whether the class shares its server with no other. */
  static boolean ownServer(KeelsonTest settings) {
    return settings.isolation() == Isolation.SERVER || settings.store() != PreparedStore.class;
  }
}
