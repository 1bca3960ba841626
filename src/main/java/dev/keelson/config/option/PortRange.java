package dev.keelson.config.option;

/**
 * A range of ports, for example {@code 30000-32767}.
 *
 * @param first the first port
 * @param last the last port, at least {@code first}
 */
public record PortRange(int first, int last) {

  public PortRange {
    if (first < 1 || last > 65535 || last < first) {
      throw new IllegalArgumentException("ports " + first + " to " + last);
    }
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
