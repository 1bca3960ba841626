package dev.keelson.value;

/** The order of strings by their UTF-8 bytes, in which Go sorts the keys of a map. */
public final class Utf8Order {

  private Utf8Order() {}

  /**
   * Compares two strings. It differs from {@link String#compareTo} for characters beyond the basic
   * plane.
   */
  public static int compare(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean surrogateA = Character.isSurrogate(a);
        // a surrogate stands for a character above all of the basic plane
        return surrogateA == Character.isSurrogate(b) ? a - b : surrogateA ? 1 : -1;
      }
    }
    return left.length() - right.length();
  }
}
