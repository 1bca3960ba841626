package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.FieldSelector.Term;
import dev.keelson.schema.FieldLabels;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;

/**
 * Checks the labels of a field selector against those of the resource, and replaces former names by
 * current ones (source: the field label conversion functions of kube-apiserver's API groups).
 */
final class FieldLabelConversion {

  private static final String NAME = "metadata.name";
  private static final String NAMESPACE = "metadata.namespace";

  private FieldLabelConversion() {}

  /**
   * The selection with the current names of its labels.
   *
   * @throws ApiException of reason BadRequest for the first label that the resource does not have
   */
  static ListQuery convert(ResourceDefinition definition, ListQuery query) {
    if (query.fields().isEverything()) {
      return query;
    }
    FieldLabels labels = definition.behaviour().fieldLabels();
    List<Term> terms = query.fields().terms().stream().map(term -> convert(labels, term)).toList();
    return new ListQuery(query.labels(), new FieldSelector(terms), query.uninitialized());
  }

  private static Term convert(FieldLabels labels, Term term) {
    String label = labels.aliases().getOrDefault(term.field(), term.field());
    boolean common = label.equals(NAME) || (label.equals(NAMESPACE) && labels.namespace());
    if (!common && !labels.paths().containsKey(label)) {
      throw ApiException.badRequest(labels.unsupported().replace("%s", term.field()));
    }
    return new Term(label, term.value(), term.negated());
  }
}
