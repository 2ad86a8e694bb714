"""Which script a letter belongs to.

The table is made by `python -m tests.domain.room.unicode_tables` from Scripts.txt of Unicode 15.0.0.
Copyright Unicode, Inc.; under the Unicode License, https://www.unicode.org/license.txt.
"""

from bisect import bisect_right

VERSION = "15.0.0"

TABLE = """\
Latin 41-2E4 1D00-1D25 1D2C-1D5C 1D62-1D65 1D6B-1D77 1D79-1DBE 1E00-1EFF 2071-209C
Latin 212A-2184 2C60-2C7F A722-A7FF AB30-AB64 AB66-AB69 FB00-FB06 FF21-FF5A
Latin 10780-107BA 1DF00-1DF2A
Greek 370-3E1 3F0-3FF 1D26-1D2A 1D5D-1D61 1D66-1D6A 1DBF 1F00-1FFC 2126 AB65
Coptic 3E2-3EF 2C80-2CF3
Cyrillic 400-52F 1C80-1C88 1D2B 1D78 A640-A69D 1E030-1E06D
Armenian 531-588 FB13-FB17
Hebrew 5D0-5F2 FB1D-FB4F
Arabic 620-6FF 750-77F 870-8C9 FB50-FEFC 1EE00-1EEBB
Syriac 710-74F 860-86A
Thaana 780-7B1
Nko 7CA-7FA
Samaritan 800-828
Mandaic 840-858
Devanagari 904-97F A8F2-A8FE
Bengali 980-9FC
Gurmukhi A05-A74
Gujarati A85-AF9
Oriya B05-B71
Tamil B83-BD0
Telugu C05-C61
Kannada C80-CF2
Malayalam D04-D7F
Sinhala D85-DC6
Thai E01-E46
Lao E81-EDF
Tibetan F00-F8C
Myanmar 1000-108E A9E0-A9FE AA60-AA7F
Georgian 10A0-10FF 1C90-1CBF 2D00-2D2D
Hangul 1100-11FF 3131-318E A960-A97C AC00-D7FB FFA0-FFDC
Ethiopic 1200-138F 2D80-2DDE AB01-AB2E 1E7E0-1E7FE
Cherokee 13A0-13FD AB70-ABBF
Canadian_Aboriginal 1401-167F 18B0-18F5 11AB0-11ABF
Ogham 1681-169A
Runic 16A0-16F8
Tagalog 1700-171F
Hanunoo 1720-1731
Buhid 1740-1751
Tagbanwa 1760-1770
Khmer 1780-17DC
Mongolian 1820-18AA
Limbu 1900-191E
Tai_Le 1950-1974
New_Tai_Lue 1980-19C9
Buginese 1A00-1A16
Tai_Tham 1A20-1AA7
Balinese 1B05-1B4C
Sundanese 1B83-1BBF
Batak 1BC0-1BE5
Lepcha 1C00-1C4F
Ol_Chiki 1C5A-1C7D
Glagolitic 2C00-2C5F
Tifinagh 2D30-2D6F
Han 3005-303B 3400-9FFF F900-FAD9 16FE3 20000-323AF
Hiragana 3041-309F 1B001-1B11F 1B132-1B152
Katakana 30A1-30FF 31F0-31FF FF66-FF9D 1AFF0-1B000 1B120-1B122 1B155-1B167
Bopomofo 3105-312F 31A0-31BF
Yi A000-A48C
Lisu A4D0-A4FD 11FB0
Vai A500-A62B
Bamum A6A0-A6E5 16800-16A38
Syloti_Nagri A800-A822
Phags_Pa A840-A873
Saurashtra A882-A8B3
Kayah_Li A90A-A925
Rejang A930-A946
Javanese A984-A9B2
Cham AA00-AA4B
Tai_Viet AA80-AADD
Meetei_Mayek AAE0-AAF4 ABC0-ABE2
Linear_B 10000-100FA
Lycian 10280-1029C
Carian 102A0-102D0
Old_Italic 10300-1032F
Gothic 10330-10349
Old_Permic 10350-10375
Ugaritic 10380-1039D
Old_Persian 103A0-103CF
Deseret 10400-1044F
Shavian 10450-1047F
Osmanya 10480-1049D
Osage 104B0-104FB
Elbasan 10500-10527
Caucasian_Albanian 10530-10563
Vithkuqi 10570-105BC
Linear_A 10600-10767
Cypriot 10800-1083F
Imperial_Aramaic 10840-10855
Palmyrene 10860-10876
Nabataean 10880-1089E
Hatran 108E0-108F5
Phoenician 10900-10915
Lydian 10920-10939
Meroitic_Hieroglyphs 10980-1099F
Meroitic_Cursive 109A0-109BF
Kharoshthi 10A00-10A35
Old_South_Arabian 10A60-10A7C
Old_North_Arabian 10A80-10A9C
Manichaean 10AC0-10AE4
Avestan 10B00-10B35
Inscriptional_Parthian 10B40-10B55
Inscriptional_Pahlavi 10B60-10B72
Psalter_Pahlavi 10B80-10B91
Old_Turkic 10C00-10C48
Old_Hungarian 10C80-10CF2
Hanifi_Rohingya 10D00-10D23
Yezidi 10E80-10EB1
Old_Sogdian 10F00-10F27
Sogdian 10F30-10F45
Old_Uyghur 10F70-10F81
Chorasmian 10FB0-10FC4
Elymaic 10FE0-10FF6
Brahmi 11003-11075
Kaithi 11083-110AF
Sora_Sompeng 110D0-110E8
Chakma 11103-11147
Mahajani 11150-11176
Sharada 11183-111DC
Khojki 11200-11240
Multani 11280-112A8
Khudawadi 112B0-112DE
Grantha 11305-11361
Newa 11400-11461
Tirhuta 11480-114C7
Siddham 11580-115DB
Modi 11600-11644
Takri 11680-116B8
Ahom 11700-11746
Dogra 11800-1182B
Warang_Citi 118A0-118FF
Dives_Akuru 11900-11941
Nandinagari 119A0-119E3
Zanabazar_Square 11A00-11A3A
Soyombo 11A50-11A9D
Pau_Cin_Hau 11AC0-11AF8
Bhaiksuki 11C00-11C40
Marchen 11C72-11C8F
Masaram_Gondi 11D00-11D46
Gunjala_Gondi 11D60-11D98
Makasar 11EE0-11EF2
Kawi 11F02-11F33
Cuneiform 12000-12543
Cypro_Minoan 12F90-12FF0
Egyptian_Hieroglyphs 13000-13446
Anatolian_Hieroglyphs 14400-14646
Mro 16A40-16A5E
Tangsa 16A70-16ABE
Bassa_Vah 16AD0-16AED
Pahawh_Hmong 16B00-16B8F
Medefaidrin 16E40-16E7F
Miao 16F00-16F9F
Tangut 16FE0 17000-18AFF 18D00-18D08
Nushu 16FE1 1B170-1B2FB
Khitan_Small_Script 18B00-18CD5
Duployan 1BC00-1BC99
Nyiakeng_Puachue_Hmong 1E100-1E14E
Toto 1E290-1E2AD
Wancho 1E2C0-1E2EB
Nag_Mundari 1E4D0-1E4EB
Mende_Kikakui 1E800-1E8C4
Adlam 1E900-1E94B
"""
"""In each row first a script, then the ranges of its letters in hexadecimal digits."""

LAST = 0x10FFFF
"""The last character of all."""


def ranges() -> list[tuple[int, int, str]]:
    """Return the first and the last character of each range, and its script, in order."""
    found = []
    for row in TABLE.splitlines():
        script, *spans = row.split()
        for span in spans:
            first, _, last = span.partition("-")
            found.append((int(first, 16), int(last or first, 16), script))
    return sorted(found)


RANGES = ranges()


def script_of(letter: str) -> str | None:
    """Return the script of a letter, None for what belongs to several or to none."""
    place = bisect_right(RANGES, (ord(letter), LAST, "")) - 1
    return RANGES[place][2] if place >= 0 and ord(letter) <= RANGES[place][1] else None
