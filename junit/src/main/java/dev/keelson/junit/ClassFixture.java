package dev.keelson.junit;

import dev.keelson.junit.KeelsonTest.Rule;
import dev.keelson.junit.KeelsonTest.User;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The server, namespace, users and clients of a test class. */
final class ClassFixture implements AutoCloseable {

  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final int LONGEST_NAME = 40;

  /** The namespaces of all classes of this JVM. */
  private static final Set<String> NAMESPACES = ConcurrentHashMap.newKeySet();

  private final KeelsonServer server;
  private final boolean own;
  private final String namespace;
  private final TestUser administrator;
  private final Map<String, TestUser> users = new HashMap<>();
  private final List<String> clusterWide = new ArrayList<>();
  private final List<AutoCloseable> clients = new CopyOnWriteArrayList<>();

  private ClassFixture(KeelsonServer server, boolean own, String namespace) {
    this.server = server;
    this.own = own;
    this.namespace = namespace;
    this.administrator = server.admin().in(namespace);
    NAMESPACES.add(namespace);
  }

  static ClassFixture of(Class<?> test, KeelsonTest settings) {
    boolean own = KeelsonExtension.ownServer(settings);
    ClassFixture fixture =
        new ClassFixture(KeelsonExtension.server(settings), own, namespaceOf(test));
    try {
      fixture.prepare(settings);
      return fixture;
    } catch (RuntimeException e) {
      fixture.close();
      throw e;
    }
  }

  private void prepare(KeelsonTest settings) {
    server.namespace(namespace);
    for (Class<?> type : settings.types()) {
      server.applyResource(definition(type), namespace);
    }
    for (String resource : settings.manifests()) {
      server.applyResource(resource, namespace);
    }
    for (User user : settings.users()) {
      TestUser made = server.user(user.name(), user.groups()).in(namespace);
      if (users.put(user.name(), made) != null) {
        throw new IllegalArgumentException("two users of @KeelsonTest are named " + user.name());
      }
      authorize(user);
    }
  }

  /** {@code widget-test-1}: the class, shortened, and a number. */
  private static String namespaceOf(Class<?> test) {
    String words =
        test.getSimpleName().replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    String plain = words.replaceAll("[^a-z0-9]+", "-").replaceAll("^-+", "");
    String begin = plain.substring(0, Math.min(LONGEST_NAME, plain.length()));
    return (begin.isEmpty() ? "test" : begin) + "-" + NUMBERS.incrementAndGet();
  }

  private static String definition(Class<?> type) {
    if (!io.fabric8.kubernetes.client.CustomResource.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(
          type.getName() + " of types is no CustomResource of fabric8");
    }
    return "META-INF/fabric8/"
        + io.fabric8.kubernetes.client.CustomResource.getCRDName(
            type.asSubclass(io.fabric8.kubernetes.client.CustomResource.class))
        + "-v1.yml";
  }

  private void authorize(User user) {
    List<String> roles = new ArrayList<>(List.of(user.clusterRoles()));
    String name = namespace + "-" + user.name().replaceAll("[^a-zA-Z0-9.-]+", "-");
    if (user.rules().length > 0) {
      List<Map<String, Object>> rules = new ArrayList<>();
      for (Rule rule : user.rules()) {
        rules.add(
            Map.of(
                "apiGroups", List.of(rule.groups()),
                "resources", List.of(rule.resources()),
                "verbs", List.of(rule.verbs())));
      }
      apply("ClusterRole", name, Map.of("rules", rules));
      clusterWide.add("clusterroles/" + name);
      roles.add(name);
    }
    for (int i = 0; i < roles.size(); i++) {
      Map<String, Object> binding =
          Map.of(
              "roleRef",
              Map.of(
                  "apiGroup", "rbac.authorization.k8s.io",
                  "kind", "ClusterRole",
                  "name", roles.get(i)),
              "subjects",
              List.of(
                  Map.of(
                      "apiGroup", "rbac.authorization.k8s.io",
                      "kind", "User",
                      "name", user.name())));
      String bindingName = name + "-" + i;
      if (user.clusterWide()) {
        apply("ClusterRoleBinding", bindingName, binding);
        clusterWide.add("clusterrolebindings/" + bindingName);
      } else {
        apply("RoleBinding", bindingName, binding);
      }
    }
  }

  private void apply(String kind, String name, Map<String, Object> more) {
    Map<String, Object> object = new HashMap<>(more);
    object.put("apiVersion", "rbac.authorization.k8s.io/v1");
    object.put("kind", kind);
    object.put("metadata", Map.of("name", name));
    server.apply(server.embedded().writeJson(object), namespace);
  }

  KeelsonServer server() {
    return server;
  }

  /** The requests from now on, without those in the namespaces of other classes. */
  AuditLog audit() {
    return AuditLog.from(server, other -> !other.equals(namespace) && NAMESPACES.contains(other));
  }

  String namespace() {
    return namespace;
  }

  TestUser administrator() {
    return administrator;
  }

  TestUser user(String name) {
    TestUser user = users.get(name);
    if (user == null) {
      throw new IllegalArgumentException(
          "%s is none of the users of @KeelsonTest: %s".formatted(name, users.keySet()));
    }
    return user;
  }

  /** Remembers to close a client after the class. */
  <T extends AutoCloseable> T closing(T client) {
    clients.add(client);
    return client;
  }

  /** Closes the clients, and the server or what the class has left on the shared one. */
  @Override
  public void close() {
    for (AutoCloseable client : clients) {
      try {
        client.close();
      } catch (Exception e) {
        throw new IllegalStateException("a client cannot be closed", e);
      }
    }
    if (own) {
      server.close();
      return;
    }
    for (String path : clusterWide) {
      server.embedded().delete("/apis/rbac.authorization.k8s.io/v1/" + path);
    }
    // what is in it goes in the background
    server.embedded().delete("/api/v1/namespaces/" + namespace);
  }
}
