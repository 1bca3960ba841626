package dev.keelson.config;

import dev.keelson.api.ApiEnablement;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.kubernetes.KubernetesVersions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Flags of which types are served, and of what pods may ask for. */
final class ApiFlags {

  private static final String OWN_GROUPS = ".keelson.dev";

  /** A deprecated key without effect, as in kube-apiserver. */
  private static final String LEGACY = "api/legacy";

  private static final Set<String> STABILITIES =
      Set.of(ApiEnablement.ALL, ApiEnablement.GA, ApiEnablement.BETA, ApiEnablement.ALPHA);

  /** The version by whose types the server itself reads the configuration of flow control. */
  private static final String FLOW_CONTROL = "flowcontrol.apiserver.k8s.io/v1";

  private record Entry(String key, boolean on) {}

  private final Flag<List<Entry>> runtimeConfig;
  private final Flag<Boolean> allowPrivileged;

  ApiFlags(FlagGroup group) {
    runtimeConfig =
        group.list(
            "runtime-config",
            "KEY=true|false",
            "Built-in types to serve or not: v1 or GROUP/VERSION, GROUP/VERSION/RESOURCE, and"
                + " api/all, api/ga, api/beta and api/alpha for all versions of the form v1,"
                + " v1beta1 and v1alpha1. A type that is not served is 404 and neither in"
                + " discovery nor in OpenAPI. api/legacy is deprecated and has no effect.",
            ApiFlags::entry);
    allowPrivileged =
        group.toggle("allow-privileged", false, "Allow privileged containers in pods.");
  }

  boolean privileged(Settings settings) {
    return settings.value(allowPrivileged);
  }

  /**
   * Refuses to disable the types that configure priority and fairness (source: {@code
   * validateAPIPriorityAndFairness} of kube-apiserver).
   *
   * @throws FlagException naming the key that disables them
   */
  void checkFlowControl(Settings settings, Flag<Boolean> fair) {
    if (!settings.value(fair)) {
      return;
    }
    List<Entry> entries = settings.value(runtimeConfig);
    for (String key : List.of(FLOW_CONTROL, ApiEnablement.GA, ApiEnablement.ALL)) {
      Optional<Entry> set =
          entries.reversed().stream().filter(entry -> entry.key.equals(key)).findFirst();
      if (set.isPresent()) {
        if (!set.get().on) {
          throw new FlagException(
              "%s=%s=false conflicts with %s=true"
                  .formatted(runtimeConfig.dashed(), key, fair.dashed()));
        }
        return;
      }
    }
  }

  /**
   * The types to serve.
   *
   * @throws FlagException for a group or version that Kubernetes has no types of
   */
  ApiEnablement served(Settings settings) {
    Map<String, Boolean> stabilities = new HashMap<>();
    Map<GroupVersion, Boolean> versions = new HashMap<>();
    Map<GroupVersionResource, Boolean> resources = new HashMap<>();
    Set<String> unknown = new TreeSet<>();
    List<Entry> entries = settings.value(runtimeConfig);
    KubernetesVersions known = entries.isEmpty() ? null : new KubernetesVersions();
    for (Entry entry : entries) {
      if (STABILITIES.contains(entry.key)) {
        stabilities.put(entry.key, entry.on);
      } else if (known != null && !entry.key.equals(LEGACY)) {
        GroupVersionResource resource = resource(entry.key);
        GroupVersion version = GroupVersion.of(resource);
        if (!known.hasGroup(version.group()) && !version.group().endsWith(OWN_GROUPS)) {
          unknown.add(version.group());
        } else if (!known.has(version) && !version.group().endsWith(OWN_GROUPS)) {
          throw new FlagException(
              runtimeConfig.dashed()
                  + ": group version "
                  + version
                  + " that has not been registered");
        } else if (resource.resource().isEmpty()) {
          versions.put(version, entry.on);
        } else {
          resources.put(resource, entry.on);
        }
      }
    }
    if (!unknown.isEmpty()) {
      throw new FlagException(
          runtimeConfig.dashed() + ": unknown api groups " + String.join(",", unknown));
    }
    if (entries.size() == 1 && Boolean.FALSE.equals(stabilities.get(ApiEnablement.ALL))) {
      throw new FlagException(
          runtimeConfig.dashed() + ": invalid key with only " + ApiEnablement.ALL + "=false");
    }
    return new ApiEnablement(stabilities, versions, resources);
  }

  /** {@code v1}, {@code api/v1}, {@code v1/pods}, or a group and a version before it. */
  private static GroupVersionResource resource(String key) {
    String path = key.startsWith("api/") ? key.substring("api/".length()) : key;
    if (path.startsWith("/")) {
      path = path.substring(1);
    }
    String[] parts = path.split("/", -1);
    boolean core = parts[0].equals("v1") || parts.length == 1;
    String[] full = core ? ("/" + path).split("/", -1) : parts;
    return new GroupVersionResource(full[0], full[1], full.length > 2 ? full[2] : "");
  }

  private static Entry entry(String text) {
    int equals = text.indexOf('=');
    String key = (equals < 0 ? text : text.substring(0, equals)).strip();
    String value = equals < 0 ? "true" : text.substring(equals + 1).strip();
    if (!STABILITIES.contains(key) && key.chars().filter(c -> c == '/').count() > 2) {
      throw new IllegalArgumentException("runtime-config invalid key " + key);
    }
    try {
      return new Entry(key, value.isEmpty() || Values.bool(value));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "invalid value of " + key + ": " + value + ", err: " + e.getMessage(), e);
    }
  }
}
