package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.value.GoQuote;
import dev.keelson.value.PercentEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The user to impersonate, from the request headers.
 *
 * @param name the user name
 * @param uid the uid, or empty
 * @param groups the groups as requested
 * @param extra the extras by lower-case key
 */
record Impersonation(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {

  private static final String EXTRA = "impersonate-extra-";

  /**
   * Parses the headers; empty if there are none.
   *
   * @throws ApiException of reason BadRequest if they have parts of a user without a user name
   */
  static Optional<Impersonation> of(ApiRequest request) {
    String name = request.header("Impersonate-User");
    String uid = request.header("Impersonate-Uid");
    List<String> groups = request.headerValues("Impersonate-Group");
    Map<String, List<String>> extra = new TreeMap<>();
    request
        .headers()
        .forEach(
            (header, values) -> {
              if (header.startsWith(EXTRA)) {
                extra
                    .computeIfAbsent(
                        PercentEncoding.decodeOrKeep(header.substring(EXTRA.length())),
                        _ -> new ArrayList<>())
                    .addAll(values);
              }
            });
    Impersonation wish = new Impersonation(name, uid, groups, extra);
    if (!name.isEmpty()) {
      return Optional.of(wish);
    }
    if (wish.isNameAlone()) {
      return Optional.empty();
    }
    throw ApiException.badRequest(
        "requested " + wish.goString() + " without impersonating a user name");
  }

  /** Whether only the user name is impersonated. */
  boolean isNameAlone() {
    return uid.isEmpty() && groups.isEmpty() && extra.isEmpty();
  }

  /** Formats the user as Go's {@code %#v}, for the error message. */
  private String goString() {
    String extras =
        extra.entrySet().stream()
            .map(entry -> GoQuote.quote(entry.getKey()) + ":" + texts(entry.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
    return "&user.DefaultInfo{Name:%s, UID:%s, Groups:%s, Extra:map[string][]string%s}"
        .formatted(
            GoQuote.quote(name),
            GoQuote.quote(uid),
            texts(groups),
            extra.isEmpty() ? "(nil)" : extras);
  }

  private static String texts(List<String> texts) {
    return "[]string"
        + (texts.isEmpty()
            ? "(nil)"
            : texts.stream().map(GoQuote::quote).collect(Collectors.joining(", ", "{", "}")));
  }
}
