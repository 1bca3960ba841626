package dev.keelson.server.controller;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.bootstrap.IdentityLease;
import dev.keelson.controller.storageversion.StorageVersionUpdater;
import dev.keelson.controller.storageversion.StoredResource;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the catalog says of the versions in which built-in objects are stored. */
public final class StorageVersions {

  private StorageVersions() {}

  /** States the storage versions of this server; not yet started. */
  public static ControllerLoop loop(
      ResourceClient client, ResourceCatalog catalog, InstantSource clock) {
    return ControllerLoop.every(
        "storage-versions",
        StorageVersionUpdater.INTERVAL,
        () ->
            new StorageVersionUpdater(
                    client,
                    IdentityLease.name(HostName.ofThisHost()),
                    of(catalog.snapshot()),
                    clock)
                .update());
  }

  /** Whether storage versions are served. */
  public static boolean areServed(ResourceCatalog catalog) {
    return catalog.snapshot().find(StorageVersionUpdater.RESOURCE).isPresent();
  }

  /**
   * The built-in resources that are stored. Those of several groups that share their objects are
   * one, of the group in which they are written.
   */
  static List<StoredResource> of(ResourceCatalog.Snapshot catalog) {
    Set<StoredType> types = new LinkedHashSet<>();
    for (ResourceDefinition row : catalog.builtIn()) {
      StoredType storage = row.storage();
      if (storage != null) {
        types.add(storage);
      }
    }
    return types.stream()
        .map(type -> resource(type.written(), catalog.storedUnder(type.keyPrefix()), catalog))
        .toList();
  }

  private static StoredResource resource(
      StoredType written, List<ResourceDefinition> rows, ResourceCatalog.Snapshot catalog) {
    GroupVersion encoding = new GroupVersion(written.kind().group(), written.kind().version());
    String plural =
        rows.stream()
            .map(ResourceDefinition::gvr)
            .filter(each -> each.group().equals(encoding.group()))
            .findFirst()
            .orElse(rows.getFirst().gvr())
            .resource();
    Set<String> decodable = new LinkedHashSet<>(List.of(encoding.toString()));
    List<String> served = new ArrayList<>();
    for (ResourceDefinition row : rows) {
      String version = row.gvr().apiVersion();
      decodable.add(version);
      if (catalog.serves(row)) {
        served.add(version);
      }
    }
    String group = encoding.group().isEmpty() ? "core" : encoding.group();
    return new StoredResource(
        group + "." + plural, encoding.toString(), List.copyOf(decodable), served);
  }
}
