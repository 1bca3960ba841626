package dev.keelson.controller.storagemigration;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the version in which the server prefers to serve a resource, by discovery. */
final class ServedResources {

  /**
   * A served resource.
   *
   * @param kind of its objects
   */
  record Served(GroupVersion version, String plural, String kind) {}

  private final ApiClient client;

  ServedResources(ApiClient client) {
    this.client = client;
  }

  /** The resource in the first version that has it, in the order of discovery. */
  Optional<Served> find(String group, String plural) throws InterruptedException {
    for (GroupVersion version : versions(group)) {
      String path = group.isEmpty() ? "/api/v1" : "/apis/" + version;
      MapNode resources = client.document(path).orElse(MapNode.EMPTY);
      for (MapNode each : resources.maps("resources")) {
        if (each.text("name").equals(plural)) {
          return Optional.of(new Served(version, plural, each.text("kind")));
        }
      }
    }
    return Optional.empty();
  }

  private List<GroupVersion> versions(String group) throws InterruptedException {
    if (group.isEmpty()) {
      return List.of(GroupVersion.CORE_V1);
    }
    MapNode document = client.document("/apis/" + group).orElse(MapNode.EMPTY);
    Set<String> names = new LinkedHashSet<>();
    String preferred = document.map("preferredVersion").text("version");
    if (!preferred.isEmpty()) {
      names.add(preferred);
    }
    document.maps("versions").forEach(each -> names.add(each.text("version")));
    List<GroupVersion> versions = new ArrayList<>();
    names.forEach(name -> versions.add(new GroupVersion(group, name)));
    return versions;
  }
}
