package dev.keelson.http.access;

import dev.keelson.api.ApiException;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.PolicyRule;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/** SelfSubjectRulesReview: the rules of the caller in a namespace. */
final class RulesReview implements VirtualResource {
  private final Authorizer authorizer;

  RulesReview(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  @Override
  public ApiObject answer(Request request) {
    String namespace = request.sent().root().map("spec").text("namespace");
    if (namespace.isEmpty()) {
      throw ApiException.badRequest("no namespace on request");
    }
    ResolvedRules rules = authorizer.rules(request.context().user(), namespace);
    List<Node> resources = new ArrayList<>();
    List<Node> paths = new ArrayList<>();
    for (PolicyRule rule : rules.rules()) {
      if (rule.aboutPaths()) {
        paths.add(
            MapNode.of("verbs", Node.texts(rule.verbs()))
                .with("nonResourceURLs", Node.texts(rule.nonResourceUrls())));
      } else {
        resources.add(resource(rule));
      }
    }
    MapNode status =
        MapNode.builder(4)
            .put("resourceRules", new Node.Items(resources))
            .put("nonResourceRules", new Node.Items(paths))
            .put("incomplete", Node.Bool.of(rules.incomplete()))
            .build();
    if (!rules.error().isEmpty()) {
      status = status.with("evaluationError", Node.text(rules.error()));
    }
    // a new object, without what was sent
    return new ApiObject(MapNode.of("spec", MapNode.EMPTY).with("status", status));
  }

  private static MapNode resource(PolicyRule rule) {
    MapNode node =
        MapNode.of("verbs", Node.texts(rule.verbs()))
            .with("apiGroups", Node.texts(rule.apiGroups()))
            .with("resources", Node.texts(rule.resources()));
    return rule.resourceNames().isEmpty()
        ? node
        : node.with("resourceNames", Node.texts(rule.resourceNames()));
  }
}
