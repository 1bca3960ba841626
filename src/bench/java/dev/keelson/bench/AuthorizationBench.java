package dev.keelson.bench;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.rbac.DefaultRoles;
import dev.keelson.authz.rbac.RbacAuthorizer;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.object.ObjectSink;
import dev.keelson.request.UserInfo;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures an RBAC decision with 1,000 bindings, some of them of the user: allowed by the last one
 * visited, and denied by all. The target is 5 microseconds.
 */
public final class AuthorizationBench {

  private static final int BINDINGS = 1_000;
  private static final int DECISIONS = 2_000_000;
  private static final UserInfo USER =
      new UserInfo(
          "user-7", "", List.of("group-1", "group-2", "group-3", "system:authenticated"), Map.of());

  private final PrintStream out;

  private AuthorizationBench(PrintStream out) {
    this.out = out;
  }

  /** Runs; takes no arguments. */
  public static void main(String[] arguments) {
    new AuthorizationBench(System.out).run();
  }

  private void run() {
    RbacAuthorizer roles = new RbacAuthorizer(new Given(DefaultRoles.parse(lines())));
    measure("allowed", roles, ask("get", "configmaps"));
    measure("refused", roles, ask("delete", "secrets"));
  }

  private void measure(String name, RbacAuthorizer roles, Attributes asked) {
    for (int round = 0; round < 3; round++) {
      int allowed = 0;
      long begin = System.nanoTime();
      for (int i = 0; i < DECISIONS; i++) {
        allowed += roles.authorize(asked).allowed() ? 1 : 0;
      }
      double nanos = (System.nanoTime() - begin) / (double) DECISIONS;
      out.printf(Locale.ROOT, "rbac %s: %.0f ns a decision (%d allowed)%n", name, nanos, allowed);
    }
  }

  private static Attributes ask(String verb, String resource) {
    return new Attributes(
        USER, verb, new Attributes.Resource("", "v1", resource, "", "ns-7", "x", "", ""));
  }

  private static List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      lines.add("clusterrole role-" + i);
      for (int rule = 0; rule < 10; rule++) {
        lines.add("  rule get,list,watch apps things-" + rule + ",others-" + rule + ",*/scale");
      }
    }
    lines.add("clusterrole maps");
    lines.add("  rule get core configmaps");
    for (int i = 0; i < BINDINGS; i++) {
      String subject = i % 2 == 0 ? "User:user-" + i % 100 : "Group:group-" + i % 100;
      lines.add(
          i % 4 == 0
              ? "clusterbinding b-" + i + " role-" + i % 20 + " " + subject
              : "binding ns-" + i % 10 + " b-" + i + " ClusterRole:role-" + i % 20 + " " + subject);
    }
    lines.add("binding ns-7 last ClusterRole:maps Group:system:authenticated");
    return lines;
  }

  private static final class Given implements RoleSource {
    private final List<DefaultRoles.Default> objects;
    private boolean told;

    Given(List<DefaultRoles.Default> objects) {
      this.objects = objects;
    }

    @Override
    public void catchUp(ObjectSink<Kind> sink) {
      if (!told) {
        told = true;
        objects.forEach(one -> sink.put(one.kind(), one.object()));
      }
    }
  }
}
