package dev.keelson.simulation;

/**
 * What containers print.
 *
 * @param log when they start; empty for a line that says that they are simulated
 * @param exec by every command; empty for a line that says that it did not run
 * @param exitCode of every command, from 0 to 255
 */
public record Printed(String log, String exec, int exitCode) {

  static final Printed NOTHING = new Printed("", "", 0);
}
