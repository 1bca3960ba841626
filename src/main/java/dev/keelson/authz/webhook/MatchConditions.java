package dev.keelson.authz.webhook;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.EvaluationErrors;
import dev.keelson.cel.Environment;
import dev.keelson.cel.EvaluationException;
import dev.keelson.cel.Expression;
import dev.keelson.cel.ValueType;
import dev.keelson.cel.ValueType.ListOf;
import dev.keelson.cel.ValueType.MapOf;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.cel.ValueType.Struct;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The match conditions of an authorization webhook (KEP-3221): only requests that match every
 * expression are sent. The variable {@code request} is the spec of a SubjectAccessReview in version
 * v1.
 *
 * @param expressions if empty, every request is sent
 */
public record MatchConditions(List<Expression> expressions) {

  /** Matches every request. */
  public static final MatchConditions NONE = new MatchConditions(List.of());

  private static final String REQUEST = "request";
  private static final List<String> RESOURCE_TEXTS =
      List.of("namespace", "verb", "group", "version", "resource", "subresource", "name");

  /** The result of the match conditions. */
  public sealed interface Verdict {

    /** All conditions match. */
    record Ask() implements Verdict {}

    /**
     * A condition does not match.
     *
     * @param failed whether one before it failed, which is counted, but changes nothing
     */
    record Skip(boolean failed) implements Verdict {}

    /** No condition is false, but at least one failed. */
    record Unknown(String error) implements Verdict {}
  }

  public MatchConditions {
    expressions = List.copyOf(expressions);
  }

  /** Creates the environment of match conditions. Expensive. */
  public static Environment environment() {
    return new Environment(Map.of(REQUEST, requestType()));
  }

  private static ValueType requestType() {
    ValueType texts = new ListOf(Simple.TEXT);
    ValueType selector =
        selectorType("kubernetes.SelectorAttributes", "kubernetes.SelectorRequirement", texts);
    Map<String, ValueType> resource = new LinkedHashMap<>();
    RESOURCE_TEXTS.forEach(name -> resource.put(name, Simple.TEXT));
    resource.put("fieldSelector", selector);
    resource.put("labelSelector", selector);
    return new Struct(
        "kubernetes.SubjectAccessReviewSpec",
        Map.of(
            "resourceAttributes",
            new Struct("kubernetes.ResourceAttributes", resource),
            "nonResourceAttributes",
            new Struct(
                "kubernetes.NonResourceAttributes",
                Map.of("path", Simple.TEXT, "verb", Simple.TEXT)),
            "user",
            Simple.TEXT,
            "groups",
            texts,
            "extra",
            new MapOf(texts),
            "uid",
            Simple.TEXT));
  }

  private static Struct selectorType(String name, String requirement, ValueType texts) {
    return new Struct(
        name,
        Map.of(
            "rawSelector",
            Simple.TEXT,
            "requirements",
            new ListOf(
                new Struct(
                    requirement,
                    Map.of("key", Simple.TEXT, "operator", Simple.TEXT, "values", texts)))));
  }

  /** Evaluates the conditions for a request. */
  Verdict verdict(Attributes attributes) {
    if (expressions.isEmpty()) {
      return new Verdict.Ask();
    }
    Map<String, Object> variables = Map.of(REQUEST, request(attributes));
    List<String> errors = new ArrayList<>();
    for (Expression expression : expressions) {
      try {
        if (!expression.holds(variables)) {
          return new Verdict.Skip(!errors.isEmpty());
        }
      } catch (EvaluationException e) {
        errors.add(
            "cel evaluation error: expression '"
                + expression.text()
                + "' resulted in error: "
                + e.getMessage());
      }
    }
    return errors.isEmpty()
        ? new Verdict.Ask()
        : new Verdict.Unknown(EvaluationErrors.aggregate(errors));
  }

  private static Map<String, Object> request(Attributes attributes) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("user", attributes.user().name());
    request.put("groups", attributes.user().groups());
    request.put("uid", attributes.user().uid());
    request.put("extra", attributes.user().extra());
    switch (attributes.target()) {
      case Attributes.Resource target ->
          request.put(
              "resourceAttributes",
              resource(SubjectAccessReviewSpec.resource(attributes.verb(), target)));
      case Attributes.Path target ->
          request.put(
              "nonResourceAttributes", Map.of("path", target.path(), "verb", attributes.verb()));
    }
    return request;
  }

  private static Map<String, Object> resource(MapNode sent) {
    Map<String, Object> resource = new LinkedHashMap<>();
    RESOURCE_TEXTS.forEach(name -> resource.put(name, sent.text(name)));
    for (String name : List.of("fieldSelector", "labelSelector")) {
      List<Node> requirements = sent.map(name).items("requirements");
      if (!requirements.isEmpty()) {
        resource.put(
            name,
            Map.of(
                "requirements",
                requirements.stream().map(one -> requirement((MapNode) one)).toList()));
      }
    }
    return resource;
  }

  private static Map<String, Object> requirement(MapNode node) {
    List<String> values = new ArrayList<>();
    for (Node value : node.items("values")) {
      if (value instanceof Node.Text(String text)) {
        values.add(text);
      }
    }
    return Map.of("key", node.text("key"), "operator", node.text("operator"), "values", values);
  }
}
