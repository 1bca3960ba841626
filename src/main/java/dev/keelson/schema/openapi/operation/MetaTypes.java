package dev.keelson.schema.openapi.operation;

import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Field.Presence;
import dev.keelson.schema.SchemaNode.Field.Rules;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.ListType;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The types that operations use beside the objects themselves: those of {@code meta/v1}, lists, and
 * the few that have no message.
 *
 * @param structs gives the schema of a message by its full name
 */
public record MetaTypes(Function<String, StructSchema> structs) {

  /** The type {@code name} of {@code meta/v1}. */
  public StructSchema meta(String name) {
    return structs.apply(TypeNames.META + name);
  }

  /** A list of objects of a type; all lists are alike, so none needs a message. */
  private StructSchema listOf(StructSchema item, String name) {
    return new StructSchema(
        name,
        /* atomic= */ false,
        /* openToUnknown= */ false,
        () ->
            List.of(
                field("apiVersion", Scalar.STRING, Presence.OMIT_EMPTY, Rules.NONE),
                field("kind", Scalar.STRING, Presence.OMIT_EMPTY, Rules.NONE),
                field("metadata", meta("ListMeta"), Presence.VALUE, Rules.NONE),
                field(
                    "items",
                    new ListOf(item, ListType.ATOMIC, List.of(), /* wrapped= */ true),
                    Presence.ALWAYS,
                    Rules.REQUIRED)));
  }

  /** The list of objects of a resource. */
  public StructSchema listOf(ResourceDefinition definition) {
    return listOf(definition.schema(), listName(definition));
  }

  /** The name of the type of the lists of a resource. */
  public static String listName(ResourceDefinition definition) {
    String item = definition.schema().name();
    return definition.custom() == null
        ? item + "List"
        : item.substring(0, item.length() - definition.kind().length()) + definition.listKind();
  }

  /** The body of a patch, whose structure depends on the media type. */
  public StructSchema patch() {
    return new StructSchema(
        TypeNames.META + "Patch", /* atomic= */ false, /* openToUnknown= */ false, List::of);
  }

  /** The response of {@code /version}. */
  public StructSchema versionInfo() {
    return new StructSchema(
        "io.k8s.apimachinery.pkg.version.Info",
        /* atomic= */ false,
        /* openToUnknown= */ false,
        () -> {
          List<Field> fields = new ArrayList<>();
          for (String name :
              List.of(
                  "major",
                  "minor",
                  "gitVersion",
                  "gitCommit",
                  "gitTreeState",
                  "buildDate",
                  "goVersion",
                  "compiler",
                  "platform")) {
            fields.add(field(name, Scalar.STRING, Presence.ALWAYS, Rules.REQUIRED));
          }
          for (String name :
              List.of(
                  "emulationMajor",
                  "emulationMinor",
                  "minCompatibilityMajor",
                  "minCompatibilityMinor")) {
            fields.add(field(name, Scalar.STRING, Presence.OMIT_EMPTY, Rules.NONE));
          }
          return fields;
        });
  }

  private static Field field(String name, SchemaNode type, Presence presence, Rules rules) {
    return new Field(name, type, /* number= */ 0, List.of(), presence, rules);
  }
}
