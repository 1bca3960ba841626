package dev.keelson.storage.sqlite;

import dev.keelson.storage.Bytes;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Moves bytes to and from SQLite, which has no empty blob of its own accord. */
final class Row {

  private Row() {}

  /** The blob of {@code column}; SQLite gives an empty one as null. */
  static Bytes bytes(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null ? Bytes.EMPTY : Bytes.wrap(bytes);
  }

  static void set(PreparedStatement statement, int parameter, Bytes bytes) throws SQLException {
    statement.setBytes(parameter, bytes.array());
  }
}
