package dev.keelson.api;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Orders the versions of a group by Kubernetes' rules, the preferred one first: stable versions
 * before beta before alpha, each by falling numbers, then all other names in the order of the
 * alphabet (source: {@code CompareKubeAwareVersionStrings} of apimachinery).
 */
public final class KubeAwareVersionOrder implements Comparator<String> {

  /** The only instance. */
  public static final Comparator<String> PREFERRED_FIRST = new KubeAwareVersionOrder();

  /** Numbers of more digits are not versions of Kubernetes' form here; Go's are 64 bits wide. */
  private static final Pattern FORM =
      Pattern.compile("v([1-9][0-9]{0,17})(?:(alpha|beta)([1-9][0-9]{0,17}))?");

  private record Version(int maturity, long major, long minor) {}

  private KubeAwareVersionOrder() {}

  @Override
  public int compare(String one, String other) {
    Version first = parse(one);
    Version second = parse(other);
    if (first == null || second == null) {
      if (first != null) {
        return -1;
      }
      return second != null ? 1 : one.compareTo(other);
    }
    int byMaturity = Integer.compare(second.maturity, first.maturity);
    int byMajor = byMaturity != 0 ? byMaturity : Long.compare(second.major, first.major);
    return byMajor != 0 ? byMajor : Long.compare(second.minor, first.minor);
  }

  private static @Nullable Version parse(String name) {
    Matcher parts = FORM.matcher(name);
    if (!parts.matches()) {
      return null;
    }
    String stage = parts.group(2);
    int maturity = stage == null ? 2 : stage.equals("beta") ? 1 : 0;
    return new Version(
        maturity,
        Long.parseLong(parts.group(1)),
        stage == null ? 0 : Long.parseLong(parts.group(3)));
  }
}
