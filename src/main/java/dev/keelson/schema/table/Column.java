package dev.keelson.schema.table;

/**
 * A column of a table.
 *
 * @param name its title, which kubectl prints in capitals
 * @param type an OpenAPI type: string, integer, number, boolean or date
 * @param format an OpenAPI format such as {@code name}, or empty
 * @param description its description
 * @param priority 0 for columns that are always shown, more for those of {@code -o wide}
 */
public record Column(String name, String type, String format, String description, int priority) {}
