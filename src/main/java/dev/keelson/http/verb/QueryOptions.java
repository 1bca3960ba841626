package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.LabelSelector;
import dev.keelson.http.Query;
import dev.keelson.registry.ListQuery;
import dev.keelson.registry.WriteMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The parameters that several verbs share (contract, "Query parameters"). */
final class QueryOptions {

  private static final int MAX_FIELD_MANAGER_BYTES = 128;

  private QueryOptions() {}

  static ListQuery selection(Query query) {
    return new ListQuery(
        LabelSelector.parse(query.first("labelSelector")),
        FieldSelector.parse(query.first("fieldSelector")));
  }

  /**
   * Returns if {@code fieldManager} is a name that managedFields can hold.
   *
   * @throws ApiException of reason Invalid if it is too long or not printable
   */
  static void checkFieldManager(Query query) {
    String name = query.first("fieldManager");
    List<FieldCause> causes = new ArrayList<>();
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_FIELD_MANAGER_BYTES) {
      causes.add(
          new FieldCause(
              "FieldValueTooLong",
              "Too long: may not be more than " + MAX_FIELD_MANAGER_BYTES + " bytes",
              "fieldManager"));
    }
    if (!name.codePoints().allMatch(QueryOptions::printable)) {
      causes.add(
          FieldCause.invalid("fieldManager", name, "should only contain printable characters"));
    }
    if (!causes.isEmpty()) {
      throw ApiException.invalid(
          new GroupVersionKind("meta.k8s.io", "v1", "PatchOptions"), "", causes);
    }
  }

  /** What Go's {@code unicode.IsPrint} takes: letters, marks, numbers, signs and the space. */
  private static boolean printable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> character == ' ';
      default -> true;
    };
  }

  /** Whether the write is meant, by {@code dryRun} in the query. */
  static WriteMode writeMode(Query query) {
    return writeMode(query.all("dryRun"));
  }

  /**
   * Whether the write is meant.
   *
   * @throws ApiException of reason BadRequest for a value other than {@code All}
   */
  static WriteMode writeMode(List<String> dryRun) {
    WriteMode mode = WriteMode.PERSIST;
    for (String value : dryRun) {
      if (!value.equals("All")) {
        throw ApiException.badRequest(
            "dryRun: Unsupported value: \"" + value + "\": supported values: \"All\"");
      }
      mode = WriteMode.DRY_RUN;
    }
    return mode;
  }
}
