package dev.keelson.http.media;

/**
 * How an answer is written.
 *
 * @param format its serialization
 * @param mediaType the one of the format's names that the client asked for
 */
public record Representation(Format format, String mediaType) {

  /** What everybody understands. */
  static final Representation JSON =
      new Representation(Format.JSON, Format.JSON.mediaTypes().getFirst());

  boolean in(MediaType range) {
    int slash = mediaType.indexOf('/');
    return range.includes(mediaType.substring(0, slash), mediaType.substring(slash + 1));
  }
}
