package dev.keelson.aggregation;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.KubeAwareVersionOrder;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.GroupPriority;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An APIService, as far as requests and controllers need it.
 *
 * @param name {@code VERSION.GROUP}
 * @param priority its place in discovery
 * @param managed the value of the label {@value #MANAGED_LABEL}, empty without it
 * @param backend the service that serves the group version, null if this server does
 * @param available whether the condition Available is True
 */
public record ApiService(
    String name,
    String uid,
    String resourceVersion,
    GroupVersion groupVersion,
    GroupPriority priority,
    String managed,
    @Nullable Backend backend,
    boolean available) {

  /** Marks the APIServices that servers create for what they serve. */
  public static final String MANAGED_LABEL = "kube-aggregator.kubernetes.io/automanaged";

  private static final Comparator<ApiService> BY_GROUP_PRIORITY =
      Comparator.comparingInt((ApiService service) -> -service.priority.group())
          .thenComparing(ApiService::name);

  private static final Comparator<ApiService> BY_VERSION_PRIORITY =
      Comparator.comparingInt((ApiService service) -> -service.priority.version())
          .thenComparing(
              service -> service.groupVersion.version(), KubeAwareVersionOrder.PREFERRED_FIRST);

  /**
   * The service behind a remote group version.
   *
   * @param port of the service
   * @param caBundle PEM in base64 that its certificate is verified with; empty for the system's
   * @param insecure whether its certificate is not verified
   */
  public record Backend(
      String namespace, String name, int port, String caBundle, boolean insecure) {

    private static final int DEFAULT_PORT = 443;

    private static Backend of(MapNode spec) {
      MapNode service = spec.map("service");
      return new Backend(
          service.text("namespace"),
          service.text("name"),
          service.get("port") instanceof Node.Int port ? (int) port.value() : DEFAULT_PORT,
          spec.text("caBundle"),
          spec.get("insecureSkipTLSVerify") == Node.Bool.TRUE);
    }

    /** The name in its certificate: {@code NAME.NAMESPACE.svc}. */
    public String serverName() {
      return name + "." + namespace + ".svc";
    }
  }

  /** The fields that {@link #of} reads, as dotted paths. */
  public static final List<String> FIELDS =
      List.of(
          "metadata.name",
          "metadata.uid",
          "metadata.labels",
          "spec",
          "status.conditions.type",
          "status.conditions.status");

  /**
   * Reads an APIService.
   *
   * @param resourceVersion of the object, which stored objects lack
   */
  public static ApiService of(ApiObject object, String resourceVersion) {
    MapNode spec = object.root().map("spec");
    return new ApiService(
        object.meta().name(),
        object.meta().uid(),
        resourceVersion,
        new GroupVersion(spec.text("group"), spec.text("version")),
        new GroupPriority(number(spec, "groupPriorityMinimum"), number(spec, "versionPriority")),
        object.meta().labels().getOrDefault(MANAGED_LABEL, ""),
        spec.has("service") ? Backend.of(spec) : null,
        condition(object).text("status").equals("True"));
  }

  private static int number(MapNode spec, String field) {
    return spec.get(field) instanceof Node.Int number ? (int) number.value() : 0;
  }

  /** The condition Available; empty if there is none. */
  public static MapNode condition(ApiObject object) {
    for (MapNode condition : object.root().map("status").maps("conditions")) {
      if (condition.text("type").equals("Available")) {
        return condition;
      }
    }
    return MapNode.EMPTY;
  }

  /** The name of the APIService of a group version. */
  public static String nameOf(GroupVersion version) {
    return version.version() + "." + version.group();
  }

  /**
   * The group version of the APIService of this name; the part before the first dot is the version.
   */
  public static GroupVersion versionOf(String name) {
    int dot = name.indexOf('.');
    return new GroupVersion(name.substring(dot + 1), name.substring(0, Math.max(0, dot)));
  }

  /** The place of a group version in discovery, for {@link #sorted}. */
  public static ApiService place(GroupVersion version, GroupPriority priority) {
    return new ApiService(nameOf(version), "", "", version, priority, "", null, true);
  }

  /** Whether another server serves the group version. */
  public boolean remote() {
    return backend != null;
  }

  /**
   * The groups by falling priority, each with its versions by falling priority (source: {@code
   * SortedByGroupAndVersion} of kube-aggregator). A group comes by the highest priority of its
   * versions; of two such groups that whose APIService has the lesser name.
   */
  public static Map<String, List<GroupVersion>> sorted(List<ApiService> services) {
    return sorted(services, BY_GROUP_PRIORITY);
  }

  /**
   * The same with groups of one priority by their names, as aggregated discovery has them (source:
   * {@code calculateAPIGroupsLocked} of apiserver).
   */
  public static Map<String, List<GroupVersion>> sortedByGroupName(List<ApiService> services) {
    Map<String, Integer> priorities = new HashMap<>();
    services.forEach(
        service ->
            priorities.merge(service.groupVersion.group(), service.priority.group(), Math::max));
    return sorted(
        services,
        Comparator.comparingInt(
                (ApiService service) -> -priorities.getOrDefault(service.groupVersion.group(), 0))
            .thenComparing(service -> service.groupVersion.group()));
  }

  private static Map<String, List<GroupVersion>> sorted(
      List<ApiService> services, Comparator<ApiService> order) {
    Map<String, List<ApiService>> groups = new LinkedHashMap<>();
    services.stream()
        .sorted(order)
        .forEach(
            service ->
                groups
                    .computeIfAbsent(service.groupVersion.group(), group -> new ArrayList<>())
                    .add(service));
    Map<String, List<GroupVersion>> versions = new LinkedHashMap<>();
    groups.forEach(
        (group, members) ->
            versions.put(
                group,
                members.stream()
                    .sorted(BY_VERSION_PRIORITY)
                    .map(ApiService::groupVersion)
                    .toList()));
    return versions;
  }
}
