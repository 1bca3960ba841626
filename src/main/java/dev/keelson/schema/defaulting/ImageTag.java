package dev.keelson.schema.defaulting;

import java.util.regex.Pattern;

/**
 * When an image is pulled, by its name: one that means the newest there is ({@code :latest}, or
 * neither tag nor digest) each time, all others once. A name that is no image reference counts as
 * tagged (source: Kubernetes' SetDefaults_Container).
 */
final class ImageTag {

  /** Possessive, since the stack would not hold the ways back of a name as long as a body. */
  private static final Pattern PATH_PART =
      Pattern.compile("[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*+");

  /** The identifier of an image, which is no name of one. */
  private static final Pattern IDENTIFIER = Pattern.compile("[a-f0-9]{64}");

  private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");

  private ImageTag() {}

  /** {@code Always} or {@code IfNotPresent}. */
  static String pullPolicy(String image) {
    if (IDENTIFIER.matcher(image).matches()) {
      return "IfNotPresent";
    }
    int at = image.indexOf('@');
    String name = at < 0 ? image : image.substring(0, at);
    int colon = name.indexOf(':', name.lastIndexOf('/') + 1);
    String tag = colon < 0 ? "" : name.substring(colon + 1);
    String path = colon < 0 ? name : name.substring(0, colon);
    if (!isPath(path) || (colon >= 0 && !TAG.matcher(tag).matches())) {
      return "IfNotPresent";
    }
    boolean newest = tag.equals("latest") || (colon < 0 && at < 0);
    return newest ? "Always" : "IfNotPresent";
  }

  private static boolean isPath(String path) {
    String[] parts = path.split("/", -1);
    int first = parts.length > 1 && isHost(parts[0]) ? 1 : 0;
    for (int i = first; i < parts.length; i++) {
      if (!PATH_PART.matcher(parts[i]).matches()) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHost(String part) {
    return part.indexOf('.') >= 0
        || part.indexOf(':') >= 0
        || part.equals("localhost")
        || part.chars().anyMatch(Character::isUpperCase);
  }
}
