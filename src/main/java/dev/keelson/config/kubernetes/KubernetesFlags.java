package dev.keelson.config.kubernetes;

import static dev.keelson.config.kubernetes.KubernetesFlag.Kind.BOOL;
import static dev.keelson.config.kubernetes.KubernetesFlag.Kind.DURATION;
import static dev.keelson.config.kubernetes.KubernetesFlag.Kind.INT;
import static dev.keelson.config.kubernetes.KubernetesFlag.Kind.STRING;
import static dev.keelson.config.kubernetes.KubernetesFlag.Kind.STRINGS;

import dev.keelson.config.flag.FlagException;
import dev.keelson.config.kubernetes.KubernetesFlag.Kind;
import dev.keelson.config.kubernetes.KubernetesFlag.State;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The flags of kube-apiserver 1.36 that Keelson does not have, by name. A flag is accepted with a
 * warning if the server serves and protects the same without it, and refused if its user relies on
 * something that would be missing.
 */
public final class KubernetesFlags {

  private final Map<String, KubernetesFlag> byName = new LinkedHashMap<>();

  /** Fills the table. */
  public KubernetesFlags() {
    access();
    store();
    processing();
    versions();
    observation();
    nodes();
  }

  private KubernetesFlags(Map<String, KubernetesFlag> flags) {
    byName.putAll(flags);
  }

  /** No flags: those of a program that is not kube-apiserver's counterpart. */
  public static KubernetesFlags none() {
    return new KubernetesFlags(Map.of());
  }

  /** All of them, in alphabetical order within each concern. */
  public List<KubernetesFlag> all() {
    return List.copyOf(byName.values());
  }

  /** The flag of that name, without dashes; empty if there is none. */
  public Optional<KubernetesFlag> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * Returns one warning for each flag that has no effect here, in the order of the command line.
   *
   * @param given the values by flag
   * @throws FlagException for a flag that is refused, or for a malformed value
   */
  public List<String> warnings(Map<String, List<String>> given) {
    List<String> warnings = new ArrayList<>();
    given.forEach(
        (name, texts) -> {
          KubernetesFlag flag = find(name).orElseThrow();
          if (!neutral(flag, texts.getLast())) {
            String text = flag.dashed() + " " + flag.meaning();
            if (flag.state() == State.REFUSED) {
              throw new FlagException(text);
            }
            warnings.add(text);
          }
        });
    return warnings;
  }

  private static boolean neutral(KubernetesFlag flag, String text) {
    try {
      return flag.isNeutral(text);
    } catch (IllegalArgumentException e) {
      throw FlagException.ofArgument(flag.dashed(), text, e);
    }
  }

  private void access() {
    refused(
        "egress-selector-config-file",
        STRING,
        "",
        "is not supported: connections to nodes, webhooks and etcd would bypass the proxies");
    accepted(
        "enable-logs-handler",
        BOOL,
        "false",
        "has no effect and is deprecated: there is no /logs handler");
    refused(
        "service-account-signing-endpoint",
        STRING,
        "",
        "is not supported: tokens are signed with --service-account-signing-key-file");
    accepted(
        "debug-socket-path",
        STRING,
        "",
        "has no effect: there is no profiler to serve on a socket");
    accepted(
        "contention-profiling",
        BOOL,
        "false",
        "has no effect: recordings at /debug/pprof/jfr show contention in any case");
  }

  private void store() {
    accepted(
        "lease-reuse-duration-seconds",
        INT,
        "60",
        "has no effect: objects that expire are deleted without leases of etcd");
    accepted(
        "storage-initialization-timeout",
        DURATION,
        "1m",
        "is not needed: the server is ready when its store is");
    refused(
        "storage-backend",
        STRING,
        "|etcd3",
        "invalid, allowed values: etcd3. If not specified, it will default to" + " 'etcd3'");
  }

  private void processing() {
    accepted(
        "apiserver-count",
        INT,
        "1",
        "has no effect and is deprecated: servers find each other by their leases in the store");
    accepted(
        "enable-garbage-collector",
        BOOL,
        "true",
        "has no effect: the garbage collector is part of the server and always runs");
    accepted(
        "endpoint-reconciler-type",
        STRING,
        "|lease",
        "has no effect: servers publish their addresses by leases");
    accepted(
        "livez-grace-period",
        DURATION,
        "0s",
        "is not needed: the server listens when its start has finished");
    accepted("permit-address-sharing", BOOL, "true", "has no effect: SO_REUSEADDR is always set");
    accepted("permit-port-sharing", BOOL, "false", "has no effect: a port belongs to one server");
    for (String name : List.of("lease-duration=15s", "renew-deadline=10s", "retry-period=2s")) {
      int equals = name.indexOf('=');
      accepted(
          "coordinated-leadership-" + name.substring(0, equals),
          DURATION,
          name.substring(equals + 1),
          "has no effect: there is no coordinated leader election");
    }
    for (String name : List.of("advertise-ip", "advertise-port", "ca-file")) {
      accepted(
          "peer-" + name,
          STRING,
          "",
          "has no effect: servers of different versions do not pass requests to each other");
    }
  }

  private void versions() {
    refused(
        "emulated-version",
        STRINGS,
        "|1.36|kube=1.36|v1.36",
        "is not supported: only 1.36 can be served, no version is emulated");
    refused(
        "emulation-forward-compatible",
        BOOL,
        "false",
        "can only be set to true if the emulation version is lower than the binary version");
    accepted(
        "min-compatibility-version",
        STRINGS,
        "|1.35|kube=1.35",
        "has no effect: the server does what 1.36 does");
    refused(
        "runtime-config-emulation-forward-compatible",
        BOOL,
        "false",
        "can only be set to true if the emulation version is lower than the binary version");
  }

  private void observation() {
    accepted("log-flush-frequency", DURATION, "5s", "is not needed: each line is written at once");
    for (String format : List.of("json", "text")) {
      accepted(
          "log-" + format + "-info-buffer-size",
          STRING,
          "0",
          "has no effect: each line is written at once");
      accepted(
          "log-" + format + "-split-stream", BOOL, "false", "has no effect: the log is one stream");
    }
    // no metrics are hidden, so that the version before has nothing to show
    refused(
        "show-hidden-metrics-for-version",
        STRING,
        "|1.35",
        "must be omitted or have the value '1.35'. Only the previous minor version is allowed");
    accepted("vmodule", STRINGS, "", "has no effect: levels are set with --v for all files");
  }

  private void nodes() {
    accepted(
        "kubelet-read-only-port",
        INT,
        "10255",
        "has no effect and is deprecated: the read-only port is not used");
    accepted(
        "kubernetes-service-node-port",
        INT,
        "0",
        "has no effect: the Service kubernetes is of type ClusterIP");
  }

  private void accepted(String name, Kind kind, String neutral, String meaning) {
    add(name, kind, neutral, State.ACCEPTED, meaning);
  }

  private void refused(String name, Kind kind, String neutral, String meaning) {
    add(name, kind, neutral, State.REFUSED, meaning);
  }

  /**
   * @param neutral values between bars
   */
  private void add(String name, Kind kind, String neutral, State state, String meaning) {
    List<String> values = List.of(neutral.split("\\|", -1));
    byName.put(name, new KubernetesFlag(name, kind, values, state, meaning));
  }
}
