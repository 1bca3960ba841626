package dev.keelson.audit.trail;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The identifiers of events in the trail: the time of the stage and a digest of the whole event, so
 * that they sort by time, and an event that is written again has the same. The digest is of all
 * fields and not of the audit ID and stage alone, since a client chooses its audit ID and could
 * hide an event behind an earlier one.
 */
public final class TrailId {

  /** Microseconds since 1970 in so many hexadecimal digits reach beyond the year 4200. */
  private static final int TIME_DIGITS = 14;

  private static final int DIGEST_BYTES = 8;

  private static final Pattern FORM = Pattern.compile("[0-9a-f]{14}-[0-9a-f]{16}");

  private TrailId() {}

  /** The identifier of an event. */
  static String of(Instant time, byte[] json) {
    byte[] digest = sha256().digest(json);
    return from(time) + '-' + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
  }

  /** A text that sorts before every event at or after a time, and behind all earlier ones. */
  public static String from(Instant time) {
    return HexFormat.of().toHexDigits(Math.max(0, micros(time)), TIME_DIGITS);
  }

  /** Whether a text has the form of an identifier. */
  public static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
