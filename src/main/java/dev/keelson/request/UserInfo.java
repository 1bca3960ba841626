package dev.keelson.request;

import java.util.List;
import java.util.Map;

/**
 * Who makes a request.
 *
 * @param name the user name, never empty
 * @param uid a stable identifier, or empty
 * @param groups the groups, in no particular order
 * @param extra what else the authenticator knows, by key
 */
public record UserInfo(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  public UserInfo {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }
}
