package dev.keelson.blackbox.attack;

/**
 * A class of hostile clients.
 *
 * @param name its name in the table
 * @param sent what is sent, in words
 * @param wave sends it once; what it opens, the target closes
 */
public record Attack(String name, String sent, Wave wave) {

  /** Sends once. An IOException is a connection that the server has ended, which is its right. */
  @FunctionalInterface
  public interface Wave {
    void send(Target target) throws Exception;
  }
}
