package dev.keelson.schema.structural.validation;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.structural.NormalForm;
import java.util.List;

/**
 * What the defaults of a structural schema must be: values that the schema accepts at their place
 * (source: {@code defaulting.ValidateDefaults} of apiextensions-apiserver). Unknown fields are
 * found by pruning, see {@link dev.keelson.schema.structural.Pruning}. Immutable; safe for use by
 * several threads.
 */
public final class DefaultRules {

  private final EmbeddedTypes types;
  private final EmbeddedObjects embedded;

  /**
   * The rules.
   *
   * @param types what metadata of embedded objects must be made of
   * @param metadata the rules of the metadata of embedded objects
   */
  public DefaultRules(MetadataTypes types, ObjectMetaRules metadata) {
    this.types = new EmbeddedTypes(types);
    this.embedded = new EmbeddedObjects(metadata);
  }

  /**
   * The causes to reject a default.
   *
   * @param value the default
   * @param place the place that declares it
   * @param path of the default in the definition, which the causes begin with
   */
  public List<FieldCause> validate(Node value, StructuralSchema place, String path) {
    Node normal = NormalForm.of(value);
    Findings metadata = new Findings(path);
    types.check(normal, place, Place.ROOT, metadata);
    if (metadata.isEmpty()) {
      embedded.check(normal, place, Place.ROOT, metadata);
    }
    if (!metadata.isEmpty()) {
      return metadata.causes();
    }
    Findings findings = new Findings(path);
    ValueCheck.check(ValueRules.of(place.source()), normal, Place.ROOT, null, findings);
    return findings.causes();
  }

  /**
   * What is wrong with the type and metadata of an object in which a default has been filled in,
   * and of those that it embeds; empty if nothing is.
   */
  public String metadataProblem(MapNode object, StructuralSchema schema) {
    Findings findings = new Findings("");
    types.check(object, schema, Place.ROOT, findings);
    if (findings.isEmpty()) {
      embedded.checkWhole(object, schema, findings);
    }
    List<String> problems = findings.causes().stream().map(FieldCause::summary).distinct().toList();
    return switch (problems.size()) {
      case 0 -> "";
      case 1 -> problems.getFirst();
      default -> "[" + String.join(", ", problems) + "]";
    };
  }
}
