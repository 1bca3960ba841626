package dev.keelson.http.media;

/**
 * How an answer is written.
 *
 * @param format its serialization
 * @param mediaType the one of the format's names that the client asked for
 * @param view what of the objects is shown
 */
record Representation(Format format, String mediaType, View view) {

  /** What everybody understands. */
  static final Representation JSON =
      new Representation(Format.JSON, Format.JSON.mediaTypes().getFirst());

  /** Whole objects. */
  Representation(Format format, String mediaType) {
    this(format, mediaType, View.Whole.WHOLE);
  }

  Representation showing(View other) {
    return new Representation(format, mediaType, other);
  }

  boolean in(MediaType range) {
    int slash = mediaType.indexOf('/');
    return range.includes(mediaType.substring(0, slash), mediaType.substring(slash + 1));
  }
}
