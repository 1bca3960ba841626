package dev.keelson.http.history;

import dev.keelson.api.ApiException;

/** Parses revisions of requests. */
final class RevisionNumber {

  private RevisionNumber() {}

  /**
   * A positive revision.
   *
   * @param where the parameter or field, for the error
   * @throws ApiException of reason BadRequest for anything else
   */
  static long parse(String where, String text) {
    if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      try {
        long revision = Long.parseLong(text);
        if (revision > 0) {
          return revision;
        }
      } catch (NumberFormatException e) {
        // rejected below: more than 64 bits
      }
    }
    throw ApiException.badRequest(
        where + ": expected a resourceVersion of this server, found \"" + text + "\"");
  }
}
