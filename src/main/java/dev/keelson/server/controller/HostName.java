package dev.keelson.server.controller;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of the host, as Go's {@code os.Hostname}. */
public final class HostName {

  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** The name that the kernel has; elsewhere than on Linux, that of the local address. */
  public static String ofThisHost() {
    try {
      return Files.readString(KERNEL).strip();
    } catch (IOException notLinux) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "localhost";
      }
    }
  }
}
