package dev.keelson.audit.event;

import java.nio.charset.StandardCharsets;

/**
 * A place in a JSON document, moved over one token at a time by the grammar of RFC 8259. Not safe
 * for use by several threads.
 */
final class JsonCursor {

  /** Documents that nest deeper are refused, as all readers of this server do. */
  static final int MAX_DEPTH = 512;

  final byte[] json;
  int at;

  /** Whether a byte outside of ASCII was passed. */
  boolean beyondAscii;

  JsonCursor(byte[] json) {
    this.json = json;
  }

  /** The next byte that is not white space, not passed yet; -1 at the end. */
  int peek() {
    while (at < json.length) {
      byte b = json[at];
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return b;
      }
      at++;
    }
    return -1;
  }

  /** Passes one byte that must be {@code expected}. */
  void expect(char expected) throws MalformedJsonException {
    if (peek() != expected) {
      throw malformed();
    }
    at++;
  }

  /** Passes a string; returns the place behind it. It begins at {@link #at}, with its quote. */
  int string() throws MalformedJsonException {
    if (peek() != '"') {
      throw malformed();
    }
    int i = at + 1;
    while (i < json.length) {
      byte b = json[i++];
      if (b == '"') {
        at = i;
        return i;
      }
      if (b == '\\') {
        i = escape(i);
      } else if (b < 0) {
        beyondAscii = true;
      } else if (b < ' ') {
        throw malformed();
      }
    }
    throw malformed();
  }

  /** Passes a string and returns its content, with the escapes resolved. */
  String text() throws MalformedJsonException {
    peek();
    int from = at + 1;
    String raw = new String(json, from, string() - 1 - from, StandardCharsets.UTF_8);
    if (raw.indexOf('\\') < 0) {
      return raw;
    }
    StringBuilder text = new StringBuilder(raw.length());
    int i = 0;
    while (i < raw.length()) {
      char c = raw.charAt(i++);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escaped = raw.charAt(i++);
      switch (escaped) {
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case 'u' -> {
          text.append((char) Integer.parseInt(raw.substring(i, i + 4), 16));
          i += 4;
        }
        default -> text.append(escaped);
      }
    }
    return text.toString();
  }

  private int escape(int i) throws MalformedJsonException {
    if (i >= json.length) {
      throw malformed();
    }
    switch (json[i]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
        return i + 1;
      }
      case 'u' -> {
        for (int k = i + 1; k <= i + 4; k++) {
          if (k >= json.length || Character.digit(json[k], 16) < 0) {
            throw malformed();
          }
        }
        return i + 5;
      }
      default -> throw malformed();
    }
  }

  /** Passes a number, true, false or null. */
  void scalar() throws MalformedJsonException {
    switch (peek()) {
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> number();
    }
  }

  private void word(String word) throws MalformedJsonException {
    for (int i = 0; i < word.length(); i++) {
      if (at >= json.length || json[at++] != word.charAt(i)) {
        throw malformed();
      }
    }
  }

  private void number() throws MalformedJsonException {
    if (at < json.length && json[at] == '-') {
      at++;
    }
    if (at < json.length && json[at] == '0') {
      at++;
    } else {
      digits();
    }
    if (at < json.length && json[at] == '.') {
      at++;
      digits();
    }
    if (at < json.length && (json[at] == 'e' || json[at] == 'E')) {
      at++;
      if (at < json.length && (json[at] == '+' || json[at] == '-')) {
        at++;
      }
      digits();
    }
  }

  private void digits() throws MalformedJsonException {
    int from = at;
    while (at < json.length && json[at] >= '0' && json[at] <= '9') {
      at++;
    }
    if (at == from) {
      throw malformed();
    }
  }

  /** Passes a value of any kind. */
  void skip(int depth) throws MalformedJsonException {
    switch (peek()) {
      case '"' -> string();
      case '{' -> {
        at++;
        check(depth);
        if (peek() == '}') {
          at++;
          return;
        }
        do {
          string();
          expect(':');
          skip(depth + 1);
        } while (more('}'));
      }
      case '[' -> {
        at++;
        check(depth);
        if (peek() == ']') {
          at++;
          return;
        }
        do {
          skip(depth + 1);
        } while (more(']'));
      }
      default -> scalar();
    }
  }

  /** Passes a comma, after which there is more, or the end of the container. */
  boolean more(char end) throws MalformedJsonException {
    int b = peek();
    if (b != ',' && b != end) {
      throw malformed();
    }
    at++;
    return b == ',';
  }

  void check(int depth) throws MalformedJsonException {
    if (depth >= MAX_DEPTH) {
      throw new MalformedJsonException("nests too deep");
    }
  }

  /** Whether the token from {@code from} to {@code to} is the plain string {@code ascii}. */
  boolean is(int from, int to, String ascii) {
    if (to - from != ascii.length() + 2) {
      return false;
    }
    for (int i = 0; i < ascii.length(); i++) {
      if (json[from + 1 + i] != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  MalformedJsonException malformed() {
    return new MalformedJsonException("malformed at byte " + at);
  }
}
