package dev.keelson.http.discovery;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.Subresource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The documents of plain (unaggregated) discovery: APIVersions, APIGroupList, APIGroup and
 * APIResourceList of {@code meta/v1}. The core group's documents have no {@code apiVersion}, as
 * they are older than it.
 */
final class PlainDocuments {

  private static final int HASH_BYTES = 8;

  /**
   * The kinds that kube-apiserver 1.36 stores in {@code v1beta1} still (source: {@code
   * default_storage_factory_builder.go}, and apiextensions' own codec). This server reads both
   * versions and writes {@code v1}; clients that compare hashes must not see that as a change.
   */
  private static final Set<GroupVersionKind> STORED_BEFORE =
      Set.of(
          new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
          new GroupVersionKind("admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicy"),
          new GroupVersionKind(
              "admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicyBinding"));

  private PlainDocuments() {}

  /**
   * The versions of the core group.
   *
   * @param serverAddress host and port where clients reach the server
   */
  static MapNode versions(ResourceCatalog.Snapshot catalog, String serverAddress) {
    List<String> versions = ApiGroups.core(catalog).stream().map(GroupVersion::version).toList();
    MapNode address =
        MapNode.builder(2)
            .put("clientCIDR", Node.text("0.0.0.0/0"))
            .put("serverAddress", Node.text(serverAddress))
            .build();
    return MapNode.builder(3)
        .put("kind", Node.text("APIVersions"))
        .put("versions", Node.texts(versions))
        .put("serverAddressByClientCIDRs", new Items(List.of(address)))
        .build();
  }

  /** Every group but the core group. */
  static MapNode groupList(Map<String, List<GroupVersion>> named) {
    List<Node> groups = new ArrayList<>();
    named.forEach((name, versions) -> groups.add(group(MapNode.builder(3), name, versions)));
    return typed("APIGroupList").put("groups", new Items(groups)).build();
  }

  /** One group. */
  static MapNode group(String name, List<GroupVersion> versions) {
    return group(typed("APIGroup"), name, versions);
  }

  private static MapNode group(MapNode.Builder group, String name, List<GroupVersion> versions) {
    List<Node> all = new ArrayList<>();
    versions.forEach(version -> all.add(version(version)));
    return group
        .put("name", Node.text(name))
        .put("versions", new Items(all))
        .put("preferredVersion", all.get(0))
        .build();
  }

  private static Node version(GroupVersion version) {
    return MapNode.builder(2)
        .put("groupVersion", Node.text(version.toString()))
        .put("version", Node.text(version.version()))
        .build();
  }

  /** The resources and subresources of a group version. */
  static MapNode resourceList(ResourceCatalog.Snapshot catalog, GroupVersion version) {
    MapNode.Builder list =
        version.group().isEmpty()
            ? MapNode.builder(3).put("kind", Node.text("APIResourceList"))
            : typed("APIResourceList");
    List<Node> resources = new ArrayList<>();
    for (ResourceDefinition definition : ApiGroups.resources(catalog, version)) {
      resources.add(resource(definition));
      for (Subresource sub : ApiGroups.subresources(definition)) {
        resources.add(subresource(definition, sub));
      }
    }
    return list.put("groupVersion", Node.text(version.toString()))
        .put("resources", new Items(resources))
        .build();
  }

  private static MapNode resource(ResourceDefinition definition) {
    MapNode.Builder resource =
        MapNode.builder(8)
            .put("name", Node.text(definition.gvr().resource()))
            .put("singularName", Node.text(definition.singular()))
            .put("namespaced", Bool.of(definition.namespaced()))
            .put("kind", Node.text(definition.kind()))
            .put("verbs", ApiGroups.verbs(definition));
    if (!definition.shortNames().isEmpty()) {
      resource.put("shortNames", Node.texts(definition.shortNames()));
    }
    if (!definition.categories().isEmpty()) {
      resource.put("categories", Node.texts(definition.categories()));
    }
    StoredType storage = definition.storage();
    if (storage != null) {
      resource.put("storageVersionHash", Node.text(hash(told(storage.written().kind()))));
    }
    return resource.build();
  }

  private static MapNode subresource(ResourceDefinition definition, Subresource sub) {
    GroupVersionKind kind = sub.kind();
    MapNode.Builder resource =
        MapNode.builder(7)
            .put("name", Node.text(definition.gvr().resource() + "/" + sub.name()))
            .put("singularName", Node.text(""))
            .put("namespaced", Bool.of(definition.namespaced()));
    if (!GroupVersion.of(kind).equals(GroupVersion.of(definition.gvr()))) {
      resource.put("group", Node.text(kind.group())).put("version", Node.text(kind.version()));
    }
    return resource
        .put("kind", Node.text(kind.kind()))
        .put("verbs", ApiGroups.verbs(sub.verbs()))
        .build();
  }

  private static MapNode.Builder typed(String kind) {
    return MapNode.builder(5).put("kind", Node.text(kind)).put("apiVersion", Node.text("v1"));
  }

  /** The stored version as kube-apiserver 1.36 tells it. */
  private static GroupVersionKind told(GroupVersionKind written) {
    return STORED_BEFORE.contains(written)
        ? new GroupVersionKind(written.group(), "v1beta1", written.kind())
        : written;
  }

  /**
   * The storageVersionHash, computed as in kube-apiserver
   * (endpoints/discovery/storageversionhash.go), so that the storage version migrator sees no
   * change when a store moves from one server to the other.
   */
  static String hash(GroupVersionKind stored) {
    String name = stored.group() + "/" + stored.version() + "/" + stored.kind();
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, HASH_BYTES));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
