package dev.keelson.value;

/** A host and a port in one text. */
public final class HostPort {

  private HostPort() {}

  /**
   * Joins a host and a port as Go's {@code net.JoinHostPort}: with brackets around an IPv6 address.
   *
   * @param host a name or an address without brackets
   */
  public static String join(String host, String port) {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
