package dev.keelson.junit;

/**
 * Starts a server without controllers, which run beside, in a JVM of its own; prints what the start
 * did.
 */
final class StartProbe {

  private StartProbe() {}

  /** Ends the JVM. */
  public static void main(String... arguments) {
    try (KeelsonServer server = KeelsonServer.builder().controllers("-*").start()) {
      System.out.printf("jars=%s port=%s%n", ServerLoader.get().hasOpenedJars(), server.url());
    }
    System.exit(0);
  }
}
