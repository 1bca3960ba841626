package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.FieldSelector.Term;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which fields a selector may name, by what other names, and how a refusal is worded: each type of
 * Kubernetes has its own (source: the field label conversions of its API groups).
 */
final class FieldLabels {

  private static final String NAME = "metadata.name";
  private static final String NAMESPACE = "metadata.namespace";

  /** Types that refuse the namespace, which other types without one take as empty. */
  private static final Set<String> WITHOUT_NAMESPACE =
      Set.of("v1 Namespace", "v1 Node", "certificates.k8s.io/v1 CertificateSigningRequest");

  /** Names from before a field was renamed. */
  private static final Map<String, Map<String, String>> FORMER =
      Map.of("v1 Pod", Map.of("spec.host", "spec.nodeName"));

  private FieldLabels() {}

  /**
   * The selection with the names of today.
   *
   * @throws ApiException of reason BadRequest that names a field that is not to be selected by
   */
  static ListQuery known(ResourceDefinition definition, ListQuery query) {
    if (query.fields().isEverything()) {
      return query;
    }
    String type = definition.gvk().apiVersion() + " " + definition.kind();
    Map<String, String> former = FORMER.getOrDefault(type, Map.of());
    List<String> selectable = definition.behaviour().selectableFields();
    List<Term> terms =
        query.fields().terms().stream()
            .map(
                term -> {
                  String field = former.getOrDefault(term.field(), term.field());
                  boolean common =
                      field.equals(NAME)
                          || field.equals(NAMESPACE) && !WITHOUT_NAMESPACE.contains(type);
                  if (!common && !selectable.contains(field)) {
                    throw ApiException.badRequest(refusal(definition, type, term.field()));
                  }
                  return new Term(field, term.value(), term.negated());
                })
            .toList();
    return new ListQuery(query.labels(), new FieldSelector(terms), query.uninitialized());
  }

  private static String refusal(ResourceDefinition definition, String type, String field) {
    String quoted = "\"" + field + "\"";
    return switch (type) {
      case "batch/v1 Job" -> "field label " + quoted + " not supported for batchv1.Job";
      case "batch/v1beta1 CronJob",
          "extensions/v1beta1 DaemonSet",
          "extensions/v1beta1 Deployment",
          "extensions/v1beta1 Ingress" ->
          "field label " + quoted + " not supported for \"" + definition.kind() + "\"";
      default ->
          definition.behaviour().selectableFields().isEmpty()
              ? quoted
                  + " is not a known field selector: only \""
                  + NAME
                  + "\", \""
                  + NAMESPACE
                  + "\""
              : "field label not supported: " + field;
    };
  }
}
