package dev.keelson.schema.openapi;

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
record MetaTypes(Function<String, StructSchema> structs) {

  /** The type {@code name} of {@code meta/v1}. */
  StructSchema meta(String name) {
    return structs.apply(TypeNames.META + name);
  }

  /** The list of objects of a type; all lists are alike, so none needs a message. */
  StructSchema listOf(StructSchema item) {
    return new StructSchema(
        item.name() + "List",
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

  /** The body of a patch, whose structure depends on the media type. */
  StructSchema patch() {
    return new StructSchema(
        TypeNames.META + "Patch", /* atomic= */ false, /* openToUnknown= */ false, List::of);
  }

  /** The response of {@code /version}. */
  StructSchema versionInfo() {
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
          return fields;
        });
  }

  private static Field field(String name, SchemaNode type, Presence presence, Rules rules) {
    return new Field(name, type, /* number= */ 0, List.of(), presence, rules);
  }
}
