package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelSelector;
import dev.keelson.http.Query;
import dev.keelson.registry.ListQuery;
import dev.keelson.registry.WriteMode;
import java.util.List;

/** The parameters that several verbs share (contract, "Query parameters"). */
final class QueryOptions {

  private QueryOptions() {}

  static ListQuery selection(Query query) {
    return new ListQuery(
        LabelSelector.parse(query.first("labelSelector")),
        FieldSelector.parse(query.first("fieldSelector")));
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
