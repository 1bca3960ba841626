package dev.keelson.http.discovery;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Verb;
import dev.keelson.object.Node;
import dev.keelson.schema.GroupPriority;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.Subresource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The catalog in the order in which discovery documents show it. */
final class ApiGroups {

  /** The order of the verbs of custom resources (source: apiextensions-apiserver's discovery). */
  private static final List<Verb> CUSTOM_ORDER =
      List.of(
          Verb.DELETE,
          Verb.DELETE_COLLECTION,
          Verb.GET,
          Verb.LIST,
          Verb.PATCH,
          Verb.CREATE,
          Verb.UPDATE,
          Verb.WATCH);

  private ApiGroups() {}

  /** The group of APIServices, which comes first. */
  private static final String REGISTRATION = "apiregistration.k8s.io";

  /**
   * The versions of every group but the core group as their APIServices list them, the preferred
   * one first. Groups and versions come by their priorities (source: kube-aggregator's {@code
   * apisHandler}).
   */
  static Map<String, List<GroupVersion>> listed(
      ResourceCatalog.Snapshot catalog, ApiServices.Snapshot services) {
    Set<GroupVersion> all = new LinkedHashSet<>(catalog.groupVersions());
    all.removeAll(services.unregistered());
    all.addAll(services.remotes().keySet());
    all.addAll(services.unserved());
    return groups(all, services::priority, ApiService::sorted);
  }

  /**
   * The versions of every group but the core group that this server or another one serves, in the
   * order of aggregated discovery.
   */
  static Map<String, List<GroupVersion>> served(
      ResourceCatalog.Snapshot catalog, ApiServices.Snapshot services) {
    Set<GroupVersion> all = new LinkedHashSet<>(catalog.groupVersions());
    all.addAll(services.remotes().keySet());
    return groups(all, services::servedPriority, ApiService::sortedByGroupName);
  }

  private static Map<String, List<GroupVersion>> groups(
      Set<GroupVersion> all,
      Function<GroupVersion, GroupPriority> priority,
      Function<List<ApiService>, Map<String, List<GroupVersion>>> order) {
    List<ApiService> places = new ArrayList<>(all.size());
    Map<String, List<GroupVersion>> groups = new LinkedHashMap<>();
    for (GroupVersion version : all) {
      if (version.group().equals(REGISTRATION)) {
        groups.computeIfAbsent(REGISTRATION, name -> new ArrayList<>()).add(version);
      } else if (!version.group().isEmpty()) {
        places.add(ApiService.place(version, priority.apply(version)));
      }
    }
    groups.putAll(order.apply(places));
    return groups;
  }

  /** The versions of the core group. */
  static List<GroupVersion> core(ResourceCatalog.Snapshot catalog) {
    return catalog.groupVersions().stream().filter(v -> v.group().isEmpty()).toList();
  }

  /** The resources of a version by name. */
  static List<ResourceDefinition> resources(
      ResourceCatalog.Snapshot catalog, GroupVersion version) {
    return catalog.resources(version).stream()
        .sorted(Comparator.comparing(definition -> definition.gvr().resource()))
        .toList();
  }

  /** The subresources of a resource by name; of a custom one as Kubernetes lists them. */
  static List<Subresource> subresources(ResourceDefinition definition) {
    Comparator<Subresource> byName = Comparator.comparing(Subresource::name);
    // its status comes before its scale
    return definition.subresources().values().stream()
        .sorted(definition.custom() == null ? byName : byName.reversed())
        .toList();
  }

  /** The words of the verbs of a resource; of a custom one as Kubernetes lists them. */
  static Node verbs(ResourceDefinition definition) {
    return definition.custom() == null
        ? verbs(definition.verbs())
        : Node.texts(
            CUSTOM_ORDER.stream().filter(definition.verbs()::contains).map(Verb::word).toList());
  }

  /** The words of {@code verbs} by name, without CONNECT, which marks streams for the server. */
  static Node verbs(Collection<Verb> verbs) {
    return Node.texts(
        verbs.stream().filter(verb -> verb != Verb.CONNECT).map(Verb::word).sorted().toList());
  }
}
