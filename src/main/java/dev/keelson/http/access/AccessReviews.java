package dev.keelson.http.access;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.http.verb.VirtualResource.Request;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** SubjectAccessReview, SelfSubjectAccessReview and LocalSubjectAccessReview. */
final class AccessReviews {

  private static final String GROUP = "authorization.k8s.io";
  private static final String RESOURCE = "spec.resourceAttributes";
  private static final String PATH = "spec.nonResourceAttributes";
  private static final String FIELDS = "fieldSelector";
  private static final String LABELS = "labelSelector";

  private final Authorizer authorizer;

  AccessReviews(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  ApiObject ofAnyone(Request request) {
    ApiObject review = request.sent();
    List<FieldCause> causes = specViolations(review, /* self= */ false);
    causes.addAll(metadataViolations(review, /* namespaced= */ false));
    return answered(review, causes, subject(review));
  }

  ApiObject ofSelf(Request request) {
    ApiObject review = request.sent();
    List<FieldCause> causes = specViolations(review, /* self= */ true);
    causes.addAll(metadataViolations(review, /* namespaced= */ false));
    return answered(review, causes, request.context().user());
  }

  ApiObject inNamespace(Request request) {
    ApiObject review = request.sent();
    String namespace = request.info().namespace();
    if (namespace.isEmpty()) {
      throw ApiException.badRequest("namespace is required on this type of request: " + namespace);
    }
    String sentNamespace = review.meta().namespace();
    if (!sentNamespace.isEmpty() && !sentNamespace.equals(namespace)) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    List<FieldCause> causes = specViolations(review, /* self= */ false);
    causes.addAll(metadataViolations(review, /* namespaced= */ true));
    MapNode spec = review.root().map("spec");
    String asked = spec.map("resourceAttributes").text("namespace");
    if (spec.has("resourceAttributes") && !asked.equals(namespace)) {
      causes.add(
          FieldCause.invalid(RESOURCE + ".namespace", asked, "must match metadata.namespace"));
    }
    if (spec.has("nonResourceAttributes")) {
      causes.add(
          invalid(PATH, spec.map("nonResourceAttributes"), "disallowed on this kind of request"));
    }
    ApiObject placed = review.withMeta(review.meta().withText("namespace", namespace));
    return answered(placed, causes, subject(review));
  }

  private ApiObject answered(ApiObject review, List<FieldCause> causes, @Nullable UserInfo user) {
    if (!causes.isEmpty() || user == null) {
      throw ApiException.invalid(new GroupVersionKind(GROUP, "v1", review.kind()), "", causes);
    }
    MapNode spec = review.root().map("spec");
    MapNode resource = spec.map("resourceAttributes");
    ReviewSelector fields = ReviewSelector.ofFields(resource.map(FIELDS));
    ReviewSelector labels = ReviewSelector.ofLabels(resource.map(LABELS));
    Decision decision = authorizer.authorize(attributes(spec, user, fields, labels));
    MapNode status = MapNode.of("allowed", Node.Bool.of(decision.allowed()));
    if (decision instanceof Decision.Deny) {
      status = status.with("denied", Node.Bool.TRUE);
    }
    if (!decision.reason().isEmpty()) {
      status = status.with("reason", Node.text(decision.reason()));
    }
    String error = error(decision, fields, labels);
    if (!error.isEmpty()) {
      status = status.with("evaluationError", Node.text(error));
    }
    return review.with("status", status);
  }

  private static String error(Decision decision, ReviewSelector fields, ReviewSelector labels) {
    List<String> errors = new ArrayList<>();
    errors.add(decision.error());
    if (!fields.problem().isEmpty()) {
      errors.add(RESOURCE + "." + FIELDS + " " + fields.problem());
    }
    if (!labels.problem().isEmpty()) {
      errors.add(RESOURCE + "." + LABELS + " " + labels.problem());
    }
    errors.removeIf(String::isEmpty);
    return String.join("; ", errors);
  }

  private static Attributes attributes(
      MapNode spec, UserInfo user, ReviewSelector fields, ReviewSelector labels) {
    if (spec.has("resourceAttributes")) {
      MapNode asked = spec.map("resourceAttributes");
      return new Attributes(
          user,
          asked.text("verb"),
          new Attributes.Resource(
              asked.text("group"),
              asked.text("version").isEmpty() ? "*" : asked.text("version"),
              asked.text("resource"),
              asked.text("subresource"),
              asked.text("namespace"),
              asked.text("name"),
              fields.selection(),
              labels.selection()));
    }
    MapNode asked = spec.map("nonResourceAttributes");
    return new Attributes(user, asked.text("verb"), new Attributes.Path(asked.text("path")));
  }

  /** Returns the subject of the review; null if it has none, which is a violation. */
  private static @Nullable UserInfo subject(ApiObject review) {
    MapNode spec = review.root().map("spec");
    Map<String, List<String>> extra = new LinkedHashMap<>();
    spec.map("extra").forEach((key, values) -> extra.put(key, texts(values)));
    List<String> groups = texts(spec.get("groups"));
    return spec.text("user").isEmpty() && groups.isEmpty()
        ? null
        : new UserInfo(spec.text("user"), spec.text("uid"), groups, extra);
  }

  private static List<String> texts(@Nullable Node node) {
    List<String> texts = new ArrayList<>();
    if (node instanceof Node.Items items) {
      for (Node item : items.values()) {
        if (item instanceof Node.Text text) {
          texts.add(text.value());
        }
      }
    }
    return texts;
  }

  private static List<FieldCause> specViolations(ApiObject review, boolean self) {
    List<FieldCause> causes = new ArrayList<>();
    MapNode spec = review.root().map("spec");
    boolean resource = spec.has("resourceAttributes");
    boolean path = spec.has("nonResourceAttributes");
    if (resource && path) {
      causes.add(
          invalid(
              PATH,
              spec.map("nonResourceAttributes"),
              "cannot be specified in combination with resourceAttributes"));
    }
    if (!resource && !path) {
      causes.add(
          new FieldCause(
              "FieldValueInvalid",
              "Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must"
                  + " be specified",
              RESOURCE));
    }
    if (!self && subject(review) == null) {
      causes.add(
          FieldCause.invalid("spec.user", "", "at least one of user or group must be specified"));
    }
    if (resource) {
      MapNode asked = spec.map("resourceAttributes");
      if (asked.has(FIELDS)) {
        causes.addAll(ReviewSelector.fieldViolations(asked.map(FIELDS), RESOURCE + "." + FIELDS));
      }
      if (asked.has(LABELS)) {
        causes.addAll(ReviewSelector.labelViolations(asked.map(LABELS), RESOURCE + "." + LABELS));
      }
    }
    return causes;
  }

  private static List<FieldCause> metadataViolations(ApiObject review, boolean namespaced) {
    MapNode meta = review.meta().node().without("managedFields").without("creationTimestamp");
    MapNode rest = namespaced ? meta.without("namespace") : meta;
    return rest.isEmpty()
        ? List.of()
        : List.of(
            invalid(
                "metadata",
                rest,
                namespaced ? "must be empty except for namespace" : "must be empty"));
  }

  /** Creates a cause that shows the value in JSON. */
  private static FieldCause invalid(String field, MapNode value, String detail) {
    String json = new String(ObjectWriter.json(value), StandardCharsets.UTF_8);
    return new FieldCause("FieldValueInvalid", "Invalid value: " + json + ": " + detail, field);
  }
}
