package dev.keelson.admission.podsecurity;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Checks of what a pod shares with its host: namespaces, paths, ports, sysctls, processes. */
final class HostChecks {

  private static final List<String> NAMESPACES = List.of("hostNetwork", "hostPID", "hostIPC");
  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");
  private static final List<String> HOOKS = List.of("postStart", "preStop");

  private HostChecks() {}

  static Optional<Violation> namespaces(PodTemplate pod) {
    List<String> shared =
        NAMESPACES.stream()
            .filter(each -> pod.spec().get(each) == Node.Bool.TRUE)
            .map(each -> each + "=true")
            .toList();
    return shared.isEmpty()
        ? Optional.empty()
        : Optional.of(new Violation("host namespaces", String.join(", ", shared)));
  }

  static Optional<Violation> paths(PodTemplate pod) {
    List<String> names = new ArrayList<>();
    for (MapNode volume : pod.spec().maps("volumes")) {
      if (volume.has("hostPath")) {
        names.add(volume.text("name"));
      }
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "hostPath volumes",
                Phrases.plural(names.size(), "volume", "volumes") + " " + Phrases.quoted(names)));
  }

  static Optional<Violation> ports(PodTemplate pod) {
    List<String> names = new ArrayList<>();
    SortedSet<String> used = new TreeSet<>();
    for (MapNode container : pod.containers()) {
      boolean uses = false;
      for (MapNode port : container.maps("ports")) {
        if (port.get("hostPort") instanceof Node.Int number && number.value() != 0) {
          uses = true;
          used.add(Long.toString(number.value()));
        }
      }
      if (uses) {
        names.add(container.text("name"));
      }
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "hostPort",
                "%s %s %s %s"
                    .formatted(
                        Phrases.containers(names),
                        Phrases.plural(names.size(), "uses", "use"),
                        Phrases.plural(used.size(), "hostPort", "hostPorts"),
                        String.join(", ", used))));
  }

  static Optional<Violation> probesAndLifecycle(PodTemplate pod) {
    SortedSet<String> names = new TreeSet<>();
    SortedSet<String> hosts = new TreeSet<>();
    for (MapNode container : pod.containers()) {
      List<String> own = new ArrayList<>();
      PROBES.forEach(probe -> addHosts(container.map(probe), own));
      HOOKS.forEach(hook -> addHosts(container.map("lifecycle").map(hook), own));
      hosts.addAll(own);
      if (!own.isEmpty()) {
        names.add(container.text("name"));
      }
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "probe or lifecycle host",
                "%s %s %s %s"
                    .formatted(
                        Phrases.containers(names),
                        Phrases.plural(names.size(), "uses", "use"),
                        Phrases.plural(
                            hosts.size(), "probe or lifecycle host", "probe or lifecycle hosts"),
                        Phrases.quoted(hosts))));
  }

  private static void addHosts(MapNode handler, List<String> hosts) {
    for (String action : List.of("httpGet", "tcpSocket")) {
      String host = handler.map(action).text("host");
      if (!host.isEmpty()) {
        hosts.add(host);
      }
    }
  }

  /**
   * @param allowed the sysctls that do not affect other pods
   */
  static Check sysctls(Set<String> allowed) {
    return pod -> {
      List<String> forbidden = new ArrayList<>();
      for (MapNode sysctl : pod.securityContext().maps("sysctls")) {
        if (!allowed.contains(sysctl.text("name"))) {
          forbidden.add(sysctl.text("name"));
        }
      }
      return forbidden.isEmpty()
          ? Optional.empty()
          : Optional.of(new Violation("forbidden sysctls", String.join(", ", forbidden)));
    };
  }

  static Optional<Violation> windowsProcess(PodTemplate pod) {
    String setters =
        Phrases.setters(
            hostProcess(pod.securityContext()), pod.containersWith(HostChecks::hostProcess));
    return setters.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "hostProcess",
                setters + " must not set securityContext.windowsOptions.hostProcess=true"));
  }

  private static boolean hostProcess(MapNode context) {
    return context.map("windowsOptions").get("hostProcess") == Node.Bool.TRUE;
  }
}
