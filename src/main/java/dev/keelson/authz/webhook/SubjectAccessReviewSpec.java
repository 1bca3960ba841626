package dev.keelson.authz.webhook;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Selection.Requirement;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.TreeMap;

/** Builds the spec of a SubjectAccessReview from the attributes of a request. */
final class SubjectAccessReviewSpec {

  private SubjectAccessReviewSpec() {}

  /**
   * Builds the spec.
   *
   * @param version the version of SubjectAccessReview, {@code v1} or {@code v1beta1}
   */
  static MapNode of(Attributes attributes, String version) {
    MapNode spec =
        switch (attributes.target()) {
          case Attributes.Resource target ->
              MapNode.of("resourceAttributes", resource(attributes.verb(), target));
          case Attributes.Path target ->
              MapNode.of(
                  "nonResourceAttributes",
                  MapNode.of("path", Node.text(target.path()))
                      .with("verb", Node.text(attributes.verb())));
        };
    UserInfo user = attributes.user();
    spec = with(spec, "user", user.name());
    if (!user.groups().isEmpty()) {
      // the field has another name in v1beta1
      spec = spec.with(version.equals("v1beta1") ? "group" : "groups", Node.texts(user.groups()));
    }
    if (!user.extra().isEmpty()) {
      MapNode.Builder extra = MapNode.builder(user.extra().size());
      new TreeMap<>(user.extra()).forEach((key, values) -> extra.put(key, Node.texts(values)));
      spec = spec.with("extra", extra.build());
    }
    return with(spec, "uid", user.uid());
  }

  /** Builds the resourceAttributes; empty fields are omitted. */
  static MapNode resource(String verb, Attributes.Resource target) {
    MapNode node = MapNode.EMPTY;
    node = with(node, "namespace", target.namespace());
    node = with(node, "verb", verb);
    node = with(node, "group", target.group());
    node = with(node, "version", target.version());
    node = with(node, "resource", target.resource());
    node = with(node, "subresource", target.subresource());
    node = with(node, "name", target.name());
    node = selector(node, "fieldSelector", target.fieldSelector().ofFields());
    return selector(node, "labelSelector", target.labelSelector().ofLabels());
  }

  private static MapNode with(MapNode node, String key, String value) {
    return value.isEmpty() ? node : node.with(key, Node.text(value));
  }

  private static MapNode selector(MapNode node, String key, List<Requirement> requirements) {
    return requirements.isEmpty()
        ? node
        : node.with(
            key,
            MapNode.of(
                "requirements",
                new Node.Items(
                    requirements.stream()
                        .<Node>map(SubjectAccessReviewSpec::requirement)
                        .toList())));
  }

  private static MapNode requirement(Requirement one) {
    MapNode node =
        MapNode.of("key", Node.text(one.key())).with("operator", Node.text(one.operator()));
    return one.values().isEmpty() ? node : node.with("values", Node.texts(one.values()));
  }
}
