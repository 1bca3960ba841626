package dev.keelson.http.aggregation;

import dev.keelson.api.GroupVersion;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The resources in the discovery documents of other servers: the known fields alone, each of its
 * type.
 */
final class RemoteResources {

  private RemoteResources() {}

  /** The resources of a group version in an APIGroupDiscoveryList; none if it is not there. */
  static Node.Items aggregated(MapNode list, GroupVersion wanted) {
    for (MapNode group : list.maps("items")) {
      if (group.map("metadata").text("name").equals(wanted.group())) {
        for (MapNode version : group.maps("versions")) {
          if (version.text("version").equals(wanted.version())) {
            return new Node.Items(
                version.maps("resources").stream().map(RemoteResources::resource).toList());
          }
        }
      }
    }
    return Node.Items.EMPTY;
  }

  private static Node resource(MapNode sent) {
    MapNode.Builder resource =
        MapNode.builder(8)
            .put("resource", Node.text(sent.text("resource")))
            .put("responseKind", kind(sent.map("responseKind")))
            .put("scope", Node.text(sent.text("scope")))
            .put("singularResource", Node.text(sent.text("singularResource")))
            .put("verbs", texts(sent, "verbs"));
    for (String list : List.of("shortNames", "categories")) {
      if (!sent.items(list).isEmpty()) {
        resource.put(list, texts(sent, list));
      }
    }
    List<Node> subresources = new ArrayList<>();
    for (MapNode sub : sent.maps("subresources")) {
      subresources.add(subresource(sub));
    }
    if (!subresources.isEmpty()) {
      resource.put("subresources", new Node.Items(subresources));
    }
    return resource.build();
  }

  private static Node subresource(MapNode sent) {
    MapNode.Builder subresource =
        MapNode.builder(4)
            .put("subresource", Node.text(sent.text("subresource")))
            .put("responseKind", kind(sent.map("responseKind")));
    List<MapNode> accepted = sent.maps("acceptedTypes");
    if (!accepted.isEmpty()) {
      subresource.put(
          "acceptedTypes", new Node.Items(accepted.stream().map(RemoteResources::kind).toList()));
    }
    return subresource.put("verbs", texts(sent, "verbs")).build();
  }

  private static Node kind(MapNode sent) {
    return MapNode.builder(3)
        .put("group", Node.text(sent.text("group")))
        .put("version", Node.text(sent.text("version")))
        .put("kind", Node.text(sent.text("kind")))
        .build();
  }

  private static Node texts(MapNode sent, String field) {
    return Node.texts(
        sent.items(field).stream()
            .filter(Node.Text.class::isInstance)
            .map(each -> ((Node.Text) each).value())
            .toList());
  }

  /**
   * The resources of an APIResourceList, the document of servers without aggregated discovery. A
   * subresource whose resource is not listed gets one without a kind and verbs (source: apiserver,
   * {@code ConvertGroupVersionIntoToDiscovery}).
   */
  static Node.Items plain(MapNode list) {
    Map<String, MapNode> byName = new LinkedHashMap<>();
    for (MapNode each : list.maps("resources")) {
      if (!each.text("name").contains("/")) {
        byName.put(each.text("name"), fromPlain(each));
      }
    }
    for (MapNode each : list.maps("resources")) {
      int slash = each.text("name").indexOf('/');
      if (slash >= 0) {
        String parent = each.text("name").substring(0, slash);
        MapNode owner = byName.getOrDefault(parent, unlisted(parent, each));
        List<Node> subresources = new ArrayList<>(owner.items("subresources"));
        subresources.add(
            MapNode.of("subresource", Node.text(each.text("name").substring(slash + 1)))
                .with("responseKind", each)
                .with("verbs", texts(each, "verbs")));
        byName.put(parent, owner.with("subresources", new Node.Items(subresources)));
      }
    }
    return new Node.Items(byName.values().stream().map(RemoteResources::resource).toList());
  }

  private static MapNode unlisted(String name, MapNode subresource) {
    return MapNode.of("resource", Node.text(name)).with("scope", scope(subresource));
  }

  private static Node scope(MapNode plain) {
    return Node.text(plain.get("namespaced") == Node.Bool.TRUE ? "Namespaced" : "Cluster");
  }

  private static MapNode fromPlain(MapNode each) {
    return each.with("resource", Node.text(each.text("name")))
        .with("responseKind", each)
        .with("scope", scope(each))
        .with("singularResource", Node.text(each.text("singularName")))
        .without("subresources");
  }
}
