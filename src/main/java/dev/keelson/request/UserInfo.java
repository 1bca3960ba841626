package dev.keelson.request;

import java.util.List;
import java.util.Map;

/**
 * The user of a request.
 *
 * @param name the user name, never empty
 * @param uid the uid, or empty
 * @param groups the groups
 * @param extra extra values by key
 */
public record UserInfo(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  public UserInfo {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  /** Whether nobody was authenticated. */
  public boolean isAnonymous() {
    return name.equals("system:anonymous");
  }
}
